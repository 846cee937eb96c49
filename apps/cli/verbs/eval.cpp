// ingle eval: the logits after every token, and how probable the model found the next one.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "base/platform.h"
#include "cli/json_writer.h"
#include "cli/npy.h"
#include "cli/options/compatibility.h"
#include "cli/options/engine.h"
#include "cli/options/model.h"
#include "cli/token_list.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() {
    std::vector<Option> all = {model_option()};
    const auto add = [&all](std::vector<Option> more) {
        for (Option& option : more) all.push_back(std::move(option));
    };
    add({{.name = "ids", .flags = "--ids", .placeholder = "LIST", .default_value = std::string(),
          .help = "the tokens to evaluate, as they are: 1,2,3", .group = "Input"}});
    add(text_options());
    add({{.name = "logits", .flags = "--logits", .placeholder = "FILE",
          .default_value = std::string(),
          .help = "write the logits there: NumPy, float32 [tokens, vocabulary]; - is standard output",
          .group = "Output"},
         json_option()});
    add(engine_options());
    add(compatibility_options());
    return all;
}

Result<std::vector<Token>> tokens_of(const OptionValues& values, const Model& model) {
    std::vector<Token> tokens;
    INGLE_ASSIGN(const auto text, given_text(values));
    if (values.given("ids") == text.has_value())
        return fail(Code::invalid_argument, "expected either --ids LIST, or -p TEXT or -f FILE");
    if (text) {
        tokens = model.tokenizer()->encode(*text);
    } else {
        INGLE_ASSIGN(tokens, parse_token_list(values.text("ids")));
    }
    if (tokens.empty()) return fail(Code::invalid_argument, "expected at least one token, found none");
    INGLE_TRY(check_tokens(tokens, model.vocab()));
    return tokens;
}

// -log softmax(logits)[token]
double surprise(std::span<const float> logits, Token token) {
    double greatest = -INFINITY;
    for (const float logit : logits) greatest = std::max(greatest, double(logit));
    double total = 0;
    for (const float logit : logits) total += std::exp(double(logit) - greatest);
    return greatest + std::log(total) - double(logits[size_t(token)]);
}

struct Score {
    int64_t predicted = 0;  // tokens that had one before them
    double surprise_sum = 0;
    double mean() const { return predicted == 0 ? 0 : surprise_sum / double(predicted); }
};

std::string text_of(const Score& score) {
    std::array<char, 160> line;
    std::snprintf(line.data(), line.size(),
                  "%lld tokens predicted, mean surprise %.6f nats, perplexity %.4f",
                  static_cast<long long>(score.predicted), score.mean(), std::exp(score.mean()));
    return line.data();
}

std::string json_of(const Score& score) {
    JsonWriter json;
    json.begin_object().member("predicted", score.predicted).member("mean_nll", score.mean());
    return json.member("perplexity", std::exp(score.mean())).end_object().text();
}

Status evaluate(const Invocation& invocation) {
    const OptionValues& values = invocation.values;
    INGLE_TRY(check_compatibility(values));
    platform::count_interrupts();
    INGLE_ASSIGN(const auto model, load_model(invocation));
    INGLE_ASSIGN(const auto tokens, tokens_of(values, *model));
    INGLE_ASSIGN(SessionOptions session_settings, session_options(values, model));
    if (session_settings.context_tokens == 0) session_settings.context_tokens = int64_t(tokens.size());
    session_settings.outputs_max = std::min<int64_t>(session_settings.chunk_tokens, 64);
    session_settings.chunk_tokens = session_settings.outputs_max;
    INGLE_ASSIGN(const auto session, Session::open(model, session_settings));

    const std::string& path = values.text("logits");
    std::optional<NpyWriter> writer;
    if (!path.empty()) {
        const std::array shape = {int64_t(tokens.size()), model->vocab()};
        INGLE_ASSIGN(writer, NpyWriter::create(path, shape));
    }
    Score score;
    const auto take = [&](int64_t index, std::span<const float> logits) -> Status {
        if (platform::interrupts() > 0) return fail(Code::cancelled, "interrupted");
        if (index + 1 < int64_t(tokens.size())) {
            score.surprise_sum += surprise(logits, tokens[size_t(index + 1)]);
            ++score.predicted;
        }
        return writer ? writer->write(logits) : Status();
    };
    INGLE_TRY(session->evaluate(tokens, take));
    if (writer) INGLE_TRY(writer->finish());
    // With logits on standard output nothing else may stand there.
    std::FILE* const out = path == "-" ? stderr : stdout;
    std::fprintf(out, "%s\n", (values.flag("json") ? json_of(score) : text_of(score)).c_str());
    return {};
}

}  // namespace

namespace entries {
extern const Verb eval;
const Verb eval = {
    .name = "eval",
    .group = "Measure",
    .summary = "compute the logits of given tokens",
    .arguments = "",
    .about = "  ingle eval -m MODEL.gguf --ids 1,403,407 --logits out.npy\n"
             "  ingle eval -m MODEL.gguf -f text.txt\n",
    .options = options,
    .run = evaluate,
};
}  // namespace entries

}  // namespace ingle::cli
