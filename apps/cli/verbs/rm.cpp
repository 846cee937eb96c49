// ingle rm: takes a downloaded model away.
#include <cstdio>

#include "backend/cpu/repack_cache.h"
#include "cli/options/storage.h"
#include "cli/verb.h"
#include "hub/cache.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() {
    return {repack_cache_option("delete the repacked weights of all models, in this folder or the usual one")};
}

// Those of models that are not there any more, or all.
void remove_repacked(const std::filesystem::path& folder, bool all) {
    uint64_t bytes = 0;
    std::error_code error;
    for (const cpu::CachedRepack& file : cpu::list_repack_cache(folder)) {
        const bool orphaned = !file.model.empty() && !std::filesystem::exists(file.model, error) && !error;
        if ((all || orphaned) && std::filesystem::remove(file.path, error)) bytes += file.bytes;
    }
    if (all || bytes > 0) std::printf("repacked weights: %s freed\n", human_bytes(bytes).c_str());
}

Status run(const Invocation& invocation) {
    const std::filesystem::path folder = repack_cache_folder(invocation.values);
    if (invocation.arguments.empty() && folder.empty())
        return fail(Code::invalid_argument, "expected a model: ingle rm user/repo:TYPE; `ingle list` shows them");
    const hub::Cache cache = hub::Cache::of_environment();
    for (const std::string& name : invocation.arguments) {
        INGLE_ASSIGN(const hub::Reference reference, hub::parse_reference(name));
        INGLE_ASSIGN(const uint64_t bytes, cache.remove(reference));
        std::printf("%s: %s freed\n", name.c_str(), human_bytes(bytes).c_str());
    }
    remove_repacked(folder.empty() ? default_repack_cache() : folder, invocation.arguments.empty());
    return {};
}

}  // namespace

namespace entries {
extern const Verb rm;
const Verb rm = {
    .name = "rm",
    .group = "Models",
    .summary = "delete downloaded models",
    .arguments = "MODEL...",
    .about = "  ingle rm user/repo:Q8_0\n"
             "  ingle rm user/repo/model.gguf\n"
             "  ingle rm --repack-cache\n\n"
             "Files that another revision of the repository uses as well stay. Repacked weights\n"
             "(--repack-cache) of models that are gone go with them.",
    .options = options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
