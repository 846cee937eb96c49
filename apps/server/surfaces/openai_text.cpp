#include "server/surfaces/openai_text.h"

namespace ingle::server {

namespace {

class OpenaiText : public Surface {
  public:
    explicit OpenaiText(Form form) : form_(std::move(form)) {}

    void progress(const PromptProgress& progress, const Timings& so_far, std::string& out) override {
        if (!form_.return_progress) return;
        Json chunk = chunk_of(0, "", nullptr);
        chunk["prompt_progress"] = progress_json(progress, arrival_);
        if (form_.timings_per_token) chunk["timings"] = timings_json(so_far);
        append_event(out, chunk);
    }

    void piece(const Piece& piece, const Answer& answer, std::string& out) override {
        Json chunk = chunk_of(piece.index, piece.text, nullptr);
        if (form_.logprobs >= 0) chunk["choices"][0]["logprobs"] = logprobs_json(piece.tokens, 0);
        if (form_.timings_per_token) chunk["timings"] = timings_json(answer.timings);
        append_event(out, chunk);
    }

    void finish(int index, const Answer& answer, std::string& out) override {
        Json chunk = chunk_of(index, "", std::string(answer.finish_reason()));
        chunk["timings"] = timings_json(answer.timings);
        append_event(out, chunk);
    }

    void end(const std::vector<Answer>& answers, std::string& out) override {
        if (form_.include_usage) {
            Json chunk = chunk_of(0, "", nullptr);
            chunk["choices"] = Json::array();
            chunk["usage"] = usage_json(answers, form_.choices);
            append_event(out, chunk);
        }
        out += "data: [DONE]\n\n";
    }

    void fail(const Error& error, std::string& out) override {
        append_event(out, error_body(error, Dialect::openai));
    }

    Json whole(const std::vector<Answer>& answers) override {
        Json choices = Json::array();
        for (size_t i = 0; i < answers.size(); ++i) {
            Json choice = choice_of(int(i), answers[i].content, std::string(answers[i].finish_reason()));
            if (form_.logprobs >= 0) choice["logprobs"] = logprobs_json(answers[i].tokens, 0);
            choices.push_back(std::move(choice));
        }
        return {{"choices", std::move(choices)},
                {"created", form_.created},
                {"model", form_.model},
                {"system_fingerprint", system_fingerprint()},
                {"object", "text_completion"},
                {"usage", usage_json(answers, form_.choices)},
                {"id", form_.id},
                {"timings", timings_json(answers.empty() ? Timings() : answers[0].timings)}};
    }

  private:
    static Json choice_of(int index, const std::string& text, Json reason) {
        return {{"text", text}, {"index", index}, {"logprobs", nullptr}, {"finish_reason", std::move(reason)}};
    }

    Json chunk_of(int index, const std::string& text, Json reason) const {
        Json chunk = {{"choices", Json::array({choice_of(index, text, std::move(reason))})},
                      {"created", form_.created},
                      {"model", form_.model},
                      {"system_fingerprint", system_fingerprint()},
                      {"object", "text_completion"},
                      {"id", form_.id}};
        if (form_.include_usage) chunk["usage"] = nullptr;
        return chunk;
    }

    // OpenAI's older shape in columns, and llama-server's list beside it.
    Json logprobs_json(const std::vector<TokenPiece>& tokens, size_t offset) const {
        const Tokenizer& tokenizer = form_.served->tokenizer();
        Json texts = Json::array(), values = Json::array(), likely = Json::array(), offsets = Json::array();
        for (const TokenPiece& token : tokens) {
            Json best = Json::object();
            for (const TokenChance& chance : token.likely)
                best[token_text(tokenizer, chance.token)] = chance.logprob;
            texts.push_back(token_text(tokenizer, token.token));
            values.push_back(token.logprob);
            likely.push_back(std::move(best));
            offsets.push_back(offset);
            offset += token.text.size();
        }
        return {{"content", probabilities_json(tokens, form_)},
                {"tokens", std::move(texts)},
                {"token_logprobs", std::move(values)},
                {"top_logprobs", std::move(likely)},
                {"text_offset", std::move(offsets)}};
    }

    Form form_;
    Clock::time_point arrival_ = Clock::now();
};

}  // namespace

std::unique_ptr<Surface> make_openai_text(Form form) {
    return std::make_unique<OpenaiText>(std::move(form));
}

}  // namespace ingle::server
