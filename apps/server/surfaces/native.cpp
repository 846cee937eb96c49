#include "server/surfaces/native.h"

#include "server/generation_fields.h"
#include "server/sampling_fields.h"

namespace ingle::server {

namespace {

std::string_view stop_type(const Answer& answer) {
    if (!answer.finished) return "none";
    switch (answer.finished->reason) {
        case FinishReason::end_of_generation: return "eos";
        case FinishReason::stop_text: return "word";
        case FinishReason::length:
        case FinishReason::context_full: return "limit";
        case FinishReason::cancelled: return "none";
    }
    return "none";
}

// "generation_settings/n_predict" is found inside, and keeps its whole path as a name.
Json picked(const Json& json, const std::vector<std::string>& fields) {
    if (fields.empty()) return json;
    Json chosen = Json::object();
    for (const std::string& field : fields) {
        const Json* at = &json;
        for (const std::string_view part : split(field, '/')) {
            at = at == nullptr || !at->is_object() || !at->contains(part) ? nullptr : &(*at)[part];
        }
        if (at != nullptr) chosen[field] = *at;
    }
    return chosen;
}

class Native : public Surface {
  public:
    struct Details {
        std::vector<std::string> prompts;
        std::vector<std::string> response_fields;
        Json settings;
    };
    Native(Form form, Details details) : form_(std::move(form)), details_(std::move(details)) {}

    void progress(const PromptProgress& progress, const Timings& so_far, std::string& out) override {
        if (!form_.return_progress) return;
        Json chunk = {{"index", 0},
                      {"content", ""},
                      {"tokens", Json::array()},
                      {"stop", false},
                      {"prompt_progress", progress_json(progress, arrival_)}};
        if (form_.timings_per_token) chunk["timings"] = timings_json(so_far);
        append_event(out, chunk);
    }

    void piece(const Piece& piece, const Answer& answer, std::string& out) override {
        Json chunk = {{"index", piece.index},
                      {"content", piece.text},
                      {"tokens", tokens_json(piece.tokens)},
                      {"stop", false},
                      {"id_slot", -1},
                      {"tokens_predicted", answer.timings.tokens},
                      {"tokens_evaluated", answer.timings.prompt_tokens}};
        if (form_.timings_per_token) chunk["timings"] = timings_json(answer.timings);
        if (form_.logprobs > 0) chunk["completion_probabilities"] = probabilities_json(piece.tokens, form_);
        append_event(out, chunk);
    }

    void finish(int index, const Answer& answer, std::string& out) override {
        Json last = answer_json(index, answer);
        last["content"] = "";
        last["tokens"] = Json::array();
        append_event(out, last);
    }

    void end(const std::vector<Answer>&, std::string&) override {}

    void fail(const Error& error, std::string& out) override {
        append_event(out, error_body(error, Dialect::openai));
    }

    Json whole(const std::vector<Answer>& answers) override {
        if (answers.size() == 1) return picked(whole_json(0, answers[0]), details_.response_fields);
        Json all = Json::array();
        for (size_t i = 0; i < answers.size(); ++i)
            all.push_back(picked(whole_json(int(i), answers[i]), details_.response_fields));
        return all;
    }

  private:
    static Json tokens_json(const std::vector<TokenPiece>& tokens) {
        Json list = Json::array();
        for (const TokenPiece& token : tokens) list.push_back(token.token);
        return list;
    }

    Json whole_json(int index, const Answer& answer) const {
        Json json = answer_json(index, answer);
        if (form_.logprobs > 0) json["completion_probabilities"] = probabilities_json(answer.tokens, form_);
        return json;
    }

    Json answer_json(int index, const Answer& answer) const {
        const Timings& timings = answer.timings;
        // The context was full: the answer ended there, or its oldest tokens were forgotten.
        const int64_t context = form_.served->engine->context_tokens();
        const bool truncated = timings.prompt_tokens + timings.tokens >= context;
        return {{"index", index},
                {"content", answer.content},
                {"tokens", form_.return_tokens ? tokens_json(answer.tokens) : Json::array()},
                {"id_slot", -1},
                {"stop", true},
                {"model", form_.model},
                {"tokens_predicted", timings.tokens},
                {"tokens_evaluated", timings.prompt_tokens},
                {"generation_settings", details_.settings},
                {"prompt", details_.prompts[size_t(index) / size_t(form_.choices)]},
                {"has_new_line", answer.content.find('\n') != std::string::npos},
                {"truncated", truncated},
                {"stop_type", std::string(stop_type(answer))},
                {"stopping_word", answer.finished ? answer.finished->stop : std::string()},
                {"tokens_cached", timings.cached_tokens},
                {"timings", timings_json(timings)}};
    }

    Form form_;
    Details details_;
    Clock::time_point arrival_ = Clock::now();
};

}  // namespace

Json generation_settings_json(const GenerationRequest& request, const Tokenizer& tokenizer) {
    Json json = sampling_json(request.sampling);
    // Not to end is a bias of minus infinity, which JSON cannot write.
    if (request.sampling.flag("ignore_eos"))
        for (const Token token : tokenizer.end_of_generation())
            json["logit_bias"].push_back({{"token", token}, {"bias", nullptr}});
    json["max_tokens"] = request.tokens_max;
    json["n_predict"] = request.tokens_max;
    json["n_probs"] = std::max(request.logprobs, 0);
    json["stop"] = request.stops;
    json["n"] = request.choices;
    json["timings_per_token"] = false;
    json["post_sampling_probs"] = request.logprobs_after_sampling;
    return json;
}

Result<Job> native_job(const Json& request, std::vector<std::vector<Token>> prompts,
                       std::shared_ptr<const ServedModel> model, const Settings& settings) {
    Fields fields(request);
    INGLE_ASSIGN(Form form, form_of(request, model, "cmpl-"));
    INGLE_ASSIGN(GenerationRequest wanted, generation_of(request, *model, settings));
    const int64_t probabilities = fields.integer("n_probs", fields.integer("logprobs", 0));
    if (probabilities > 0) wanted.logprobs = int(std::min<int64_t>(probabilities, 1000));
    wanted.logprobs_after_sampling = form.after_sampling;
    form.logprobs = wanted.logprobs;
    Native::Details details;
    details.response_fields = fields.texts("response_fields");
    details.settings = generation_settings_json(wanted, model->tokenizer());
    Job job;
    job.stream = fields.flag("stream");
    INGLE_TRY(fields.status());
    for (auto& prompt : prompts) {
        details.prompts.push_back(text_as_read(model->tokenizer(), prompt));
        job.requests.push_back(wanted);
        job.requests.back().prompt = std::move(prompt);
    }
    job.surface = std::make_unique<Native>(std::move(form), std::move(details));
    job.model = std::move(model);
    return job;
}

}  // namespace ingle::server
