#include "cli/answer.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/platform.h"
#include "cli/json_writer.h"
#include "cli/options/model.h"
#include "cli/terminal.h"

namespace ingle::cli {

namespace {

double rate(int64_t tokens, double seconds) { return seconds > 0 ? double(tokens) / seconds : 0; }

}  // namespace

std::vector<Option> answer_options() {
    constexpr char group[] = "Answer";
    return {
        {.name = "n_predict", .flags = "-n,--predict,--n-predict", .placeholder = "N",
         .default_value = int64_t(-1),
         .help = "tokens to generate; -1: until the model ends or the context is full", .min = -2,
         .max = double(1 << 30), .group = group},
        {.name = "reverse_prompt", .flags = "-r,--reverse-prompt", .placeholder = "TEXT",
         .default_value = std::vector<std::string>(),
         .help = "end the answer before this text; may be given several times", .group = group},
        {.name = "special", .flags = "-sp,--special", .placeholder = "", .default_value = false,
         .help = "write control tokens out", .group = group},
        {.name = "perf", .flags = "--perf,--show-timings,!--no-perf,!--no-show-timings",
         .placeholder = "", .default_value = false,
         .help = "show the speed on standard error; by default on a terminal only",
         .group = group},
        json_option(),
    };
}

GenerateOptions generate_options(const OptionValues& values) {
    GenerateOptions options;
    options.tokens_max = std::max<int64_t>(values.integer("n_predict"), -1);
    options.stops = values.list("reverse_prompt");
    options.show_special = values.flag("special");
    options.ignore_end = values.flag("ignore_eos");
    return options;
}

Result<Generation> answer(Session& session, std::span<const Token> prompt, sampling::Chain& chain,
                          const GenerateOptions& options, const OptionValues& values) {
    const bool stream = !values.flag("json");
    const int interrupts_before = platform::interrupts();
    return generate(session, prompt, chain, options, [&](std::string_view text) {
        if (stream && !text.empty()) {
            std::fwrite(text.data(), 1, text.size(), stdout);
            if (std::fflush(stdout) != 0) return false;
        }
        return platform::interrupts() == interrupts_before;
    });
}

std::string speed_line(const Generation& generation) {
    std::array<char, 160> line;
    std::snprintf(line.data(), line.size(),
                  "prompt %lld tokens, %.1f tokens/s; answer %lld tokens, %.1f tokens/s",
                  static_cast<long long>(generation.prompt_tokens),
                  rate(generation.prompt_tokens, generation.prompt_seconds),
                  static_cast<long long>(generation.tokens.size()),
                  rate(int64_t(generation.tokens.size()), generation.generate_seconds));
    return line.data();
}

void report_speed(const Generation& generation, const OptionValues& values) {
    const bool wanted = values.given("perf") ? values.flag("perf")
                                             : decorated_messages() && decorated_output();
    if (!wanted) return;
    const std::string line = styled_message(Style::dim, "[" + speed_line(generation) + "]");
    std::fprintf(stderr, "%s\n", line.c_str());
}

std::string json_of(const Generation& generation, const Session& session) {
    JsonWriter json(2);
    json.begin_object().member("text", std::string_view(generation.text)).key("tokens");
    json.begin_array();
    for (const Token token : generation.tokens) json.value(token);
    json.end_array().member("finish_reason", to_string(generation.reason));
    json.member("prompt_tokens", generation.prompt_tokens);
    json.member("prompt_seconds", generation.prompt_seconds);
    json.member("answer_tokens", generation.tokens.size());
    json.member("answer_seconds", generation.generate_seconds);
    json.member("cache_type_k", info(session.key_type()).name);
    json.member("cache_type_v", info(session.value_type()).name).end_object();
    return json.text();
}

}  // namespace ingle::cli
