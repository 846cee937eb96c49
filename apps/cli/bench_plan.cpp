#include "cli/bench_plan.h"

#include <algorithm>
#include <filesystem>

#include "cli/number_list.h"
#include "cli/options/compatibility.h"
#include "cli/options/engine.h"

namespace ingle::cli {

namespace {

constexpr int64_t tokens_max = 1 << 20;
constexpr char tests_group[] = "Tests", settings_group[] = "Settings, each a list", output_group[] = "Output";

struct ListOption {
    const char* name;
    const char* flags;
    const char* initial;
    const char* group;
    const char* help;
};

constexpr ListOption lists[] = {
    {"models", "-m,--model", "", "Input", "the models, GGUF files"},
    {"n_prompt", "-p,--n-prompt", "512", tests_group, "prompt lengths; 0: none"},
    {"n_gen", "-n,--n-gen", "128", tests_group, "tokens to generate; 0: none"},
    {"prompt_and_gen", "-pg", "", tests_group, "a prompt and what follows it as one test: P,N"},
    {"n_depth", "-d,--n-depth", "0", tests_group, "tokens in the cache beforehand"},
    {"threads", "-t,--threads", "-1", settings_group,
     "threads that compute; -1: as many as this machine grants"},
    {"batch", "-b,--batch-size", "2048", settings_group, "tokens given at once"},
    {"ubatch", "-ub,--ubatch-size", "512", settings_group,
     "tokens of a prompt computed at once, at most -b"},
    {"cache_type_k", "-ctk,--cache-type-k", "f16", settings_group, "how keys are stored: f16, q8_0, ..."},
    {"cache_type_v", "-ctv,--cache-type-v", "f16", settings_group, "how values are stored, likewise"},
    {"flash_attn", "-fa,--flash-attn", "", settings_group,
     "accepted, without effect: attention is always computed in tiles"},
};

const ListOption& list_named(std::string_view name) {
    return *std::ranges::find(lists, name, [](const ListOption& list) { return std::string_view(list.name); });
}

// Everything given under the name, joined by commas; else the default.
std::string joined(const OptionValues& values, std::string_view name) {
    if (!values.given(name)) return list_named(name).initial;
    std::string text;
    for (const std::string& part : values.list(name)) text += (text.empty() ? "" : ",") + part;
    return text;
}

Result<std::vector<int64_t>> numbers(const OptionValues& values, std::string_view name, int64_t min,
                                     int64_t max) {
    const std::string_view flags = list_named(name).flags;
    return parse_number_list(joined(values, name), flags.substr(0, flags.find(',')), min, max);
}

Result<std::vector<std::string>> cache_types(const OptionValues& values, std::string_view name) {
    std::vector<std::string> types;
    const std::string text = joined(values, name);
    for (const std::string_view part : split(text, ',')) {
        if (!find_kv_type(part)) {
            std::string known;
            for (const KvTypeInfo& type : all_kv_types()) known += cat(" ", type.name);
            return fail(Code::invalid_argument, list_named(name).flags, ": expected one of", known,
                        ", found ", quoted(part));
        }
        types.emplace_back(part);
    }
    return types;
}

Result<std::vector<BenchTest>> read_tests(const OptionValues& values) {
    INGLE_ASSIGN(const auto prompts, numbers(values, "n_prompt", 0, tokens_max));
    INGLE_ASSIGN(const auto lengths, numbers(values, "n_gen", 0, tokens_max));
    INGLE_ASSIGN(const auto depths, numbers(values, "n_depth", 0, tokens_max));
    std::vector<BenchTest> tests;
    for (const int64_t depth : depths) {
        for (const int64_t prompt : prompts)
            if (prompt > 0) tests.push_back({prompt, 0, depth});
        for (const int64_t length : lengths)
            if (length > 0) tests.push_back({0, length, depth});
        for (const std::string& pair : values.list("prompt_and_gen")) {
            const auto parsed = parse_number_list(pair, "-pg", 1, tokens_max);
            if (!parsed.ok()) return parsed.status();
            if (parsed->size() != 2)
                return fail(Code::invalid_argument, "-pg: expected two numbers as in 512,128, found ",
                            quoted(pair));
            tests.push_back({(*parsed)[0], (*parsed)[1], depth});
        }
    }
    if (tests.empty())
        return fail(Code::invalid_argument, "nothing to measure: -p and -n are both 0, and there is no -pg");
    return tests;
}

Result<std::vector<BenchSetting>> read_settings(const OptionValues& values) {
    INGLE_ASSIGN(const auto batches, numbers(values, "batch", 1, tokens_max));
    INGLE_ASSIGN(const auto chunks, numbers(values, "ubatch", 1, 65536));
    INGLE_ASSIGN(const auto keys, cache_types(values, "cache_type_k"));
    INGLE_ASSIGN(const auto value_types, cache_types(values, "cache_type_v"));
    std::vector<BenchSetting> settings;
    for (const int64_t batch : batches)
        for (const int64_t chunk : chunks)
            for (const std::string& key : keys)
                for (const std::string& value : value_types)
                    settings.push_back({batch, std::min(chunk, batch), key, value});
    return settings;
}

// "-m a,b" names two, unless a file has that very name.
std::vector<std::string> read_models(const Invocation& invocation) {
    std::vector<std::string> models;
    for (const std::string& given : invocation.values.list("models")) {
        std::error_code ignored;
        if (std::filesystem::exists(given, ignored)) models.push_back(given);
        else
            for (const std::string_view part : split(given, ',')) models.emplace_back(part);
    }
    models.insert(models.end(), invocation.arguments.begin(), invocation.arguments.end());
    return models;
}

Option choice(const char* name, const char* flags, const char* initial, const char* help) {
    return {.name = name, .flags = flags, .placeholder = "FORMAT", .default_value = std::string(initial),
            .help = help, .choices = {"md", "csv", "json", "jsonl", "sql", "none"}, .group = output_group};
}

}  // namespace

std::string BenchTest::name() const {
    std::string text = prompt_tokens > 0 ? cat("pp", prompt_tokens) : "";
    if (generated_tokens > 0) text += cat(text.empty() ? "" : "+", "tg", generated_tokens);
    return depth_tokens > 0 ? cat(text, " @ d", depth_tokens) : text;
}

std::vector<Option> bench_options() {
    std::vector<Option> all;
    for (const ListOption& list : lists) {
        const std::string initial = list.initial;
        all.push_back({.name = list.name, .flags = list.flags, .placeholder = "LIST",
                       .default_value = std::vector<std::string>(),
                       .help = initial.empty() ? list.help : cat(list.help, " (default: ", initial, ")"),
                       .group = list.group});
    }
    const auto number = [](const char* name, const char* flags, int64_t initial, double min,
                           const char* help, const char* group) {
        return Option{.name = name, .flags = flags, .placeholder = "N", .default_value = initial,
                      .help = help, .min = min, .max = 10000, .group = group};
    };
    const auto flag = [](const char* name, const char* flags, bool initial, const char* help,
                         const char* group) {
        return Option{.name = name, .flags = flags, .placeholder = "", .default_value = initial,
                      .help = help, .group = group};
    };
    all.push_back(number("repetitions", "-r,--repetitions", 5, 1, "how often each is measured", tests_group));
    all.push_back(number("delay", "--delay", 0, 0, "seconds to wait before each test", tests_group));
    all.push_back(flag("warmup", "--warmup,!--no-warmup", true, "run each test once before it is timed",
                       tests_group));
    all.push_back(choice("output", "-o,--output", "md", "how to report"));
    all.push_back(choice("output_err", "-oe,--output-err", "none", "how to report on standard error, too"));
    all.push_back(flag("progress", "--progress", false, "say on standard error what is measured",
                       output_group));
    all.push_back(flag("roofs", "--roofs", false,
                       "measure what this machine can do at most, and show the share of it", output_group));
    all.push_back({.name = "compare", .flags = "--compare", .placeholder = "PROGRAM",
                   .default_value = std::string(),
                   .help = "a llama-bench to run in turn with ours, pair by pair; shows ratios",
                   .group = "Comparison"});
    all.push_back(number("pairs", "--pairs", 7, 1, "how many pairs", "Comparison"));
    all.push_back({.name = "peer_args", .flags = "--peer-args", .placeholder = "WORDS",
                   .default_value = std::string("-fa 1"), .help = "further words for that program",
                   .group = "Comparison"});
    for (std::vector<Option> more : {engine_options(), compatibility_options()})
        for (Option& option : more)
            if (option.name != "ctx_size" && std::ranges::find(all, option.name, &Option::name) == all.end())
                all.push_back(std::move(option));
    return all;
}

Result<BenchPlan> read_plan(const Invocation& invocation) {
    BenchPlan plan;
    plan.models = read_models(invocation);
    if (plan.models.empty())
        return fail(Code::invalid_argument, "no model given: name a GGUF file with -m FILE");
    INGLE_ASSIGN(plan.threads, numbers(invocation.values, "threads", -1, 4096));
    INGLE_ASSIGN(plan.settings, read_settings(invocation.values));
    INGLE_ASSIGN(plan.tests, read_tests(invocation.values));
    return plan;
}

}  // namespace ingle::cli
