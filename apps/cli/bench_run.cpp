#include "cli/bench_run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

#include "base/platform.h"
#include "base/random.h"
#include "cli/options/engine.h"

namespace ingle::cli {

namespace {

using Clock = std::chrono::steady_clock;

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

}  // namespace

Result<int64_t> time_once(Session& session, const BenchTest& test) {
    const int64_t vocab = session.model().vocab();
    session.truncate(0);
    if (test.depth_tokens > 0) INGLE_TRY(session.feed(random_tokens(test.depth_tokens, vocab)));
    const auto prompt = random_tokens(test.prompt_tokens, vocab);
    const auto generated = random_tokens(test.generated_tokens, vocab);
    const auto begin = Clock::now();
    if (!prompt.empty()) INGLE_TRY(session.feed(prompt));
    for (const Token& token : generated) {
        if (platform::interrupts() > 0) return fail(Code::cancelled, "interrupted");
        INGLE_TRY(session.feed({&token, 1}));
    }
    if (platform::interrupts() > 0) return fail(Code::cancelled, "interrupted");
    return std::chrono::nanoseconds(Clock::now() - begin).count();
}

Status warm_up(Session& session, const BenchTest& test) {
    BenchTest brief = test;
    brief.generated_tokens = std::min<int64_t>(test.generated_tokens, 1);
    auto warmed = time_once(session, brief);
    return warmed.ok() ? Status() : std::move(warmed).status();
}

BenchRow row_of(const BenchStage& stage, const BenchTest& test) {
    BenchRow row;
    row.model_file = stage.model_file;
    row.model_type = stage.model->description();
    row.model_bytes = stage.model->file_bytes();
    row.parameters = stage.model->parameter_count();
    row.threads = stage.model->runtime().threads();
    row.placement = stage.model->runtime().placement();
    row.repack = stage.repack;
    row.setting = stage.setting;
    row.test = test;
    row.begun = now_as_text();
    return row;
}

Status for_each_stage(const OptionValues& values, const BenchPlan& plan,
                      const std::function<Status(BenchStage&)>& run) {
    SessionOptions options;
    options.context_tokens = 1;
    for (const BenchTest& test : plan.tests)
        options.context_tokens =
            std::max(options.context_tokens, test.depth_tokens + test.tokens());
    for (const std::string& file : plan.models)
        for (const int64_t threads : plan.threads) {
            BenchStage stage;
            stage.model_file = file;
            stage.repack = values.flag("repack");
            INGLE_ASSIGN(stage.model, load_model(values, file, int(std::max<int64_t>(threads, 0))));
            for (const BenchSetting& setting : plan.settings) {
                stage.setting = setting;
                options.chunk_tokens = setting.chunk_tokens;
                options.key_type = *find_kv_type(setting.key_type);
                options.value_type = *find_kv_type(setting.value_type);
                stage.session.reset();
                INGLE_ASSIGN(stage.session, Session::open(stage.model, options));
                INGLE_TRY(run(stage));
            }
        }
    return {};
}

}  // namespace ingle::cli
