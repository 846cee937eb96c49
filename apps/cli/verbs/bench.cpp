// ingle bench: tokens a second for prompts and for generation, measured and reported as llama-bench does.
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "base/platform.h"
#include "base/random.h"
#include "cli/bench_report.h"
#include "cli/number_list.h"
#include "cli/options/compatibility.h"
#include "cli/options/engine.h"
#include "cli/options/model.h"

namespace ingle::cli {

namespace {

using Clock = std::chrono::steady_clock;

std::vector<Option> options() {
    constexpr char group[] = "Tests";
    const auto list = [](const char* name, const char* flags, const char* initial,
                         const char* help) {
        return Option{.name = name, .flags = flags, .placeholder = "LIST",
                      .default_value = std::string(initial), .help = help, .group = group};
    };
    std::vector<Option> all = {
        model_option(),
        list("n_prompt", "-p,--n-prompt", "512", "prompt lengths; 0: none"),
        list("n_gen", "-n,--n-gen", "128", "tokens to generate; 0: none"),
        list("n_depth", "-d,--n-depth", "0", "tokens in the cache beforehand"),
        {.name = "repetitions", .flags = "-r,--repetitions", .placeholder = "N",
         .default_value = int64_t(5), .help = "how often each is measured", .min = 1, .max = 10000,
         .group = group},
        {.name = "output", .flags = "-o,--output", .placeholder = "FORMAT",
         .default_value = std::string("md"), .help = "how to report",
         .choices = {"md", "json", "jsonl"}, .group = "Output"},
    };
    for (Option& option : engine_options()) {
        if (option.name == "threads")
            option = list("threads", "-t,--threads", "-1", "threads that compute; -1: as many as "
                                                           "this machine grants");
        if (option.name != "ctx_size") all.push_back(std::move(option));
    }
    for (Option& option : compatibility_options()) all.push_back(std::move(option));
    return all;
}

std::string now_as_text() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::array<char, 32> text;
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
    return text.data();
}

std::vector<Token> random_tokens(int64_t count, int64_t vocab) {
    Random random(1);
    std::vector<Token> tokens;
    for (int64_t i = 0; i < count; ++i) tokens.push_back(Token(random.below(uint32_t(vocab))));
    return tokens;
}

// One measurement: the prompt in one go, then token after token.
Result<int64_t> measure_once(Session& session, const BenchRow& row) {
    const int64_t vocab = session.model().vocab();
    session.truncate(0);
    if (row.depth_tokens > 0) INGLE_TRY(session.feed(random_tokens(row.depth_tokens, vocab)));
    const auto prompt = random_tokens(row.prompt_tokens, vocab);
    const auto generated = random_tokens(row.generated_tokens, vocab);
    const auto begin = Clock::now();
    if (!prompt.empty()) INGLE_TRY(session.feed(prompt));
    for (const Token& token : generated) {
        if (platform::interrupts() > 0) return fail(Code::cancelled, "interrupted");
        INGLE_TRY(session.feed({&token, 1}));
    }
    return std::chrono::nanoseconds(Clock::now() - begin).count();
}

Status measure(Session& session, BenchRow& row, int64_t repetitions) {
    row.begun = now_as_text();
    BenchRow warm_up = row;
    warm_up.generated_tokens = std::min<int64_t>(row.generated_tokens, 1);
    if (auto warmed = measure_once(session, warm_up); !warmed.ok()) return std::move(warmed).status();
    for (int64_t i = 0; i < repetitions; ++i) {
        INGLE_ASSIGN(const int64_t nanoseconds, measure_once(session, row));
        row.samples_ns.push_back(nanoseconds);
    }
    return {};
}

// The tests for one number of threads, without their results.
Result<std::vector<BenchRow>> planned_rows(const OptionValues& values) {
    constexpr int64_t tokens_max = 1 << 20;
    INGLE_ASSIGN(const auto depths, parse_number_list(values.text("n_depth"), "-d", 0, tokens_max));
    INGLE_ASSIGN(const auto prompts, parse_number_list(values.text("n_prompt"), "-p", 0, tokens_max));
    INGLE_ASSIGN(const auto lengths, parse_number_list(values.text("n_gen"), "-n", 0, tokens_max));
    std::vector<BenchRow> rows;
    for (const int64_t depth : depths) {
        BenchRow row;
        row.depth_tokens = depth;
        row.chunk_tokens = values.integer("ubatch");
        row.key_type = values.text("cache_type_k");
        row.value_type = values.text("cache_type_v");
        row.model_file = values.text("model");
        for (const int64_t prompt : prompts) {
            row.prompt_tokens = prompt;
            if (prompt > 0) rows.push_back(row);
        }
        row.prompt_tokens = 0;
        for (const int64_t length : lengths) {
            row.generated_tokens = length;
            if (length > 0) rows.push_back(row);
        }
    }
    if (rows.empty()) return fail(Code::invalid_argument, "nothing to measure: -p and -n are both 0");
    return rows;
}

Status measure_all(const Invocation& invocation, int64_t threads, std::vector<BenchRow>& rows) {
    const OptionValues& values = invocation.values;
    INGLE_ASSIGN(const auto model, load_model(invocation, int(std::max<int64_t>(threads, 0))));
    SessionOptions settings = session_options(values);
    settings.context_tokens = 1;
    for (const BenchRow& row : rows)
        settings.context_tokens =
            std::max(settings.context_tokens,
                     row.depth_tokens + row.prompt_tokens + row.generated_tokens);
    INGLE_ASSIGN(const auto session, Session::open(model, settings));
    for (BenchRow& row : rows) {
        row.model_type = model->description();
        row.model_bytes = model->file_bytes();
        row.parameters = model->parameter_count();
        row.threads = model->runtime().threads();
        INGLE_TRY(measure(*session, row, values.integer("repetitions")));
        if (values.text("output") == "jsonl") {
            std::fputs(bench_json_line(row).c_str(), stdout);
            std::fflush(stdout);
        }
    }
    return {};
}

Status bench_model(const Invocation& invocation) {
    const OptionValues& values = invocation.values;
    INGLE_TRY(check_compatibility(values));
    INGLE_ASSIGN(const auto threads, parse_number_list(values.text("threads"), "-t", -1, 4096));
    INGLE_ASSIGN(const auto planned, planned_rows(values));
    platform::count_interrupts();
    std::vector<BenchRow> all;
    for (const int64_t count : threads) {
        std::vector<BenchRow> rows = planned;
        INGLE_TRY(measure_all(invocation, count, rows));
        all.insert(all.end(), rows.begin(), rows.end());
    }
    if (values.text("output") == "json") std::fputs(bench_json(all).c_str(), stdout);
    if (values.text("output") == "md") std::fputs(bench_markdown(all).c_str(), stdout);
    return {};
}

}  // namespace

namespace entries {
extern const Verb bench;
const Verb bench = {
    .name = "bench",
    .group = "Measure",
    .summary = "measure how fast a model runs here",
    .arguments = "",
    .about = "  ingle bench -m MODEL.gguf\n"
             "  ingle bench -m MODEL.gguf -p 128-512*2 -n 64 -t 1,2 -o json\n\n"
             "Reports in the form of llama-bench. Tokenizing and sampling are not timed.",
    .options = options,
    .run = bench_model,
};
}  // namespace entries

}  // namespace ingle::cli
