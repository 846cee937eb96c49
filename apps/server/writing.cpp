#include "server/writing.h"

#include <algorithm>
#include <cmath>

#include "base/log.h"
#include "base/utf8.h"
#include "base/version.h"

namespace ingle::server {

namespace {

double per_second(int64_t amount, double seconds) {
    return seconds > 0 ? double(amount) / seconds : 0.0;
}

Json token_json(Token token, float logprob, const Form& form) {
    const std::string bytes = form.served->tokenizer().piece(token, true);
    Json numbers = Json::array();
    for (const char byte : bytes) numbers.push_back(uint8_t(byte));
    Json json = {{"id", token}, {"token", utf8::replace_invalid(bytes)}, {"bytes", std::move(numbers)}};
    // JSON has no minus infinity.
    if (form.after_sampling) json["prob"] = std::exp(logprob);
    else json["logprob"] = std::isfinite(logprob) ? double(logprob) : -9999.0;
    return json;
}

}  // namespace

std::string system_fingerprint() { return cat("b-ingle-", version_text); }

std::string token_text(const Tokenizer& tokenizer, Token token) {
    return utf8::replace_invalid(tokenizer.piece(token, true));
}

std::string text_as_read(const Tokenizer& tokenizer, const std::vector<Token>& tokens) {
    std::string text;
    for (const Token token : tokens) text += tokenizer.piece(token, true);
    return utf8::replace_invalid(text);
}

Result<Form> form_of(const Json& request, std::shared_ptr<const ServedModel> model,
                     std::string_view id_prefix) {
    Fields fields(request);
    Form form;
    form.id = new_id(id_prefix);
    form.model = fields.text("model", model->name);
    form.created = unix_seconds();
    form.choices = int(fields.integer("n", fields.integer("n_cmpl", 1)));
    if (const Json* const options = fields.object("stream_options")) {
        Fields inner(*options);
        form.include_usage = inner.flag("include_usage");
        INGLE_TRY(inner.status());
    }
    form.timings_per_token = fields.flag("timings_per_token");
    form.return_progress = fields.flag("return_progress");
    form.return_tokens = fields.flag("return_tokens");
    form.verbose = fields.flag("verbose") || log_enabled(LogLevel::debug);
    form.after_sampling = fields.flag("post_sampling_probs");
    form.served = std::move(model);
    INGLE_TRY(fields.status());
    return form;
}

Json usage_json(const std::vector<Answer>& answers, int choices) {
    int64_t prompt = 0, cached = 0, generated = 0, reasoning = 0;
    for (size_t i = 0; i < answers.size(); ++i) {
        const Timings& timings = answers[i].timings;
        // The choices of one prompt share it.
        if (i % size_t(choices) == 0) {
            prompt += timings.prompt_tokens;
            cached += timings.cached_tokens;
        }
        generated += timings.tokens;
        reasoning += answers[i].reasoning_tokens;
    }
    return {{"completion_tokens", generated},
            {"prompt_tokens", prompt},
            {"total_tokens", prompt + generated},
            {"prompt_tokens_details", {{"cached_tokens", cached}}},
            {"completion_tokens_details", {{"reasoning_tokens", reasoning}}}};
}

Json timings_json(const Timings& timings) {
    const int64_t prompt = timings.prompt_tokens - timings.cached_tokens;
    const double prompt_ms = timings.prompt_seconds * 1e3;
    const double predicted_ms = timings.generate_seconds * 1e3;
    // The first token comes from the prompt's last step.
    const int64_t steps = std::max<int64_t>(timings.tokens - 1, 0);
    return {{"cache_n", timings.cached_tokens},
            {"prompt_n", prompt},
            {"prompt_ms", prompt_ms},
            {"prompt_per_token_ms", prompt > 0 ? prompt_ms / double(prompt) : 0.0},
            {"prompt_per_second", per_second(prompt, timings.prompt_seconds)},
            {"predicted_n", timings.tokens},
            {"predicted_ms", predicted_ms},
            {"predicted_per_token_ms", steps > 0 ? predicted_ms / double(steps) : 0.0},
            {"predicted_per_second", per_second(steps, timings.generate_seconds)}};
}

Json progress_json(const PromptProgress& progress, Clock::time_point arrival) {
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - arrival).count();
    Json json = {{"total", progress.total},
                 {"cache", progress.cached},
                 {"processed", progress.done},
                 {"time_ms", int64_t(ms)}};
    if (progress.queue_place > 0) json["queue_place"] = progress.queue_place;
    return json;
}

Json probabilities_json(const std::vector<TokenPiece>& tokens, const Form& form) {
    Json list = Json::array();
    for (const TokenPiece& token : tokens) {
        Json json = token_json(token.token, token.logprob, form);
        Json likely = Json::array();
        for (const TokenChance& chance : token.likely)
            likely.push_back(token_json(chance.token, chance.logprob, form));
        json[form.after_sampling ? "top_probs" : "top_logprobs"] = std::move(likely);
        list.push_back(std::move(json));
    }
    return list;
}

}  // namespace ingle::server
