#include "cli/options/prompt_cache.h"

#include <algorithm>

namespace ingle::cli {

std::vector<Option> prompt_cache_options() {
    constexpr char group[] = "Input";
    return {
        {.name = "prompt_cache", .flags = "--prompt-cache", .placeholder = "FILE",
         .default_value = std::string(),
         .help = "keep what was computed of the prompt in FILE, and begin with what is there",
         .group = group},
        {.name = "prompt_cache_all", .flags = "--prompt-cache-all", .placeholder = "",
         .default_value = false, .help = "keep the answer, too", .group = group},
        {.name = "prompt_cache_ro", .flags = "--prompt-cache-ro", .placeholder = "",
         .default_value = false, .help = "read FILE only", .group = group},
    };
}

Result<std::span<const Token>> take_cached(const OptionValues& values, Session& session,
                                           std::span<const Token> prompt) {
    const std::string& path = values.text("prompt_cache");
    if (path.empty() || !std::filesystem::exists(path)) return prompt;
    INGLE_TRY(session.restore(path));
    const auto known = session.tokens();
    const auto agreed = int64_t(std::ranges::mismatch(known, prompt).in2 - prompt.begin());
    session.truncate(std::min(agreed, int64_t(prompt.size()) - 1));
    return prompt.subspan(size_t(session.length()));
}

Status keep_cached(const OptionValues& values, Session& session, int64_t prompt_tokens) {
    const std::string& path = values.text("prompt_cache");
    if (path.empty() || values.flag("prompt_cache_ro")) return {};
    if (!values.flag("prompt_cache_all")) session.truncate(std::min(prompt_tokens, session.length()));
    return session.save(path).status();
}

}  // namespace ingle::cli
