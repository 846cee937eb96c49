#include "server/surfaces/openai_chat.h"

#include "server/generation_fields.h"
#include "server/prompt.h"
#include "server/reading.h"

namespace ingle::server {

namespace {

Json call_json(const ToolCall& call) {
    return {{"id", call.id},
            {"type", "function"},
            {"function", {{"name", call.name}, {"arguments", call.arguments.empty() ? "{}" : call.arguments}}}};
}

class OpenaiChat : public Surface {
  public:
    explicit OpenaiChat(Form form) : form_(std::move(form)) {}

    void begin(std::string& out) override {
        for (int i = 0; i < form_.choices; ++i) delta(i, {{"role", "assistant"}, {"content", nullptr}}, out);
    }

    void progress(const PromptProgress& progress, const Timings& so_far, std::string& out) override {
        if (!form_.return_progress) return;
        Json chunk = chunk_of(0, Json::object(), nullptr);
        chunk["prompt_progress"] = progress_json(progress, arrival_);
        if (form_.timings_per_token) chunk["timings"] = timings_json(so_far);
        append_event(out, chunk);
    }

    void piece(const Piece& piece, const Answer& answer, std::string& out) override {
        using Kind = chat::ReplyPiece::Kind;
        bool first = true;  // probabilities go with the first of several deltas
        for (const chat::ReplyPiece& part : piece.reply) {
            Json json = Json::object();
            if (part.kind == Kind::content || part.kind == Kind::reasoning) {
                if (part.text.empty()) continue;
                json[part.kind == Kind::content ? "content" : "reasoning_content"] = part.text;
            } else if (part.kind == Kind::call) {
                const ToolCall& call = answer.calls[size_t(part.call)];
                json["tool_calls"] = Json::array({{{"index", part.call},
                                                   {"id", call.id},
                                                   {"type", "function"},
                                                   {"function", {{"name", call.name}, {"arguments", ""}}}}});
            } else {
                json["tool_calls"] = Json::array(
                    {{{"index", part.call}, {"function", {{"arguments", part.text}}}}});
            }
            delta(piece.index, std::move(json), out, &answer, first ? &piece : nullptr);
            first = false;
        }
        if (first && form_.logprobs >= 0 && !piece.tokens.empty())
            delta(piece.index, {{"content", ""}}, out, &answer, &piece);
    }

    void finish(int index, const Answer& answer, std::string& out) override {
        Json chunk = chunk_of(index, Json::object(), std::string(answer.finish_reason()));
        chunk["timings"] = timings_json(answer.timings);
        append_event(out, chunk);
    }

    void end(const std::vector<Answer>& answers, std::string& out) override {
        if (form_.include_usage) {
            Json chunk = chunk_of(0, Json::object(), nullptr);
            chunk["choices"] = Json::array();
            chunk["usage"] = usage_json(answers, form_.choices);
            if (!answers.empty()) chunk["timings"] = timings_json(answers[0].timings);
            append_event(out, chunk);
        }
        out += "data: [DONE]\n\n";
    }

    void fail(const Error& error, std::string& out) override {
        append_event(out, error_body(error, Dialect::openai));
    }

    Json whole(const std::vector<Answer>& answers) override {
        Json choices = Json::array();
        for (size_t i = 0; i < answers.size(); ++i) choices.push_back(choice_json(int(i), answers[i]));
        Json json = {{"choices", std::move(choices)},
                     {"created", form_.created},
                     {"model", form_.model},
                     {"system_fingerprint", system_fingerprint()},
                     {"object", "chat.completion"},
                     {"usage", usage_json(answers, form_.choices)},
                     {"id", form_.id},
                     {"timings", timings_json(answers.empty() ? Timings() : answers[0].timings)}};
        if (!form_.verbose_prompt.empty())
            json["__verbose"] = {{"prompt", form_.verbose_prompt}, {"content", answers.front().text}};
        return json;
    }

  private:
    Json choice_json(int index, const Answer& answer) const {
        Json message = {{"role", "assistant"}, {"content", answer.content}};
        if (!answer.reasoning.empty()) message["reasoning_content"] = answer.reasoning;
        if (!answer.calls.empty()) {
            if (answer.content.empty()) message["content"] = nullptr;
            for (const ToolCall& call : answer.calls) message["tool_calls"].push_back(call_json(call));
        }
        Json choice = {{"finish_reason", std::string(answer.finish_reason())},
                       {"index", index},
                       {"message", std::move(message)}};
        if (form_.logprobs >= 0)
            choice["logprobs"] = {{"content", probabilities_json(answer.tokens, form_)}};
        return choice;
    }

    Json chunk_of(int index, Json delta, Json finish_reason) const {
        Json chunk = {{"choices", Json::array({{{"finish_reason", std::move(finish_reason)},
                                                {"index", index},
                                                {"delta", std::move(delta)}}})},
                      {"created", form_.created},
                      {"id", form_.id},
                      {"model", form_.model},
                      {"system_fingerprint", system_fingerprint()},
                      {"object", "chat.completion.chunk"}};
        if (form_.include_usage) chunk["usage"] = nullptr;
        return chunk;
    }

    void delta(int index, Json delta, std::string& out, const Answer* answer = nullptr,
               const Piece* piece = nullptr) const {
        Json chunk = chunk_of(index, std::move(delta), nullptr);
        if (piece != nullptr && form_.logprobs >= 0)
            chunk["choices"][0]["logprobs"] = {{"content", probabilities_json(piece->tokens, form_)}};
        if (answer != nullptr && form_.timings_per_token) chunk["timings"] = timings_json(answer->timings);
        append_event(out, chunk);
    }

    Form form_;
    Clock::time_point arrival_ = Clock::now();
};

Status take_logprobs(const Json& request, GenerationRequest& wanted) {
    Fields fields(request);
    const bool asked = fields.flag("logprobs");
    const int64_t top = fields.integer("top_logprobs", fields.integer("n_probs", 0));
    if (top < 0 || top > 1000) fields.wrong(cat("'top_logprobs': expected a number from 0 to 1000, found ", top));
    if (!asked && member(request, "top_logprobs") != nullptr && top > 0)
        fields.wrong("'top_logprobs' needs 'logprobs'");
    if (asked || top > 0) wanted.logprobs = int(top);
    wanted.logprobs_after_sampling = fields.flag("post_sampling_probs");
    return fields.status();
}

// How reasoning is ended early: by a budget of tokens, or when another request asks for it.
Status take_reasoning(const Json& request, const ServedModel& model, const Settings& settings,
                      chat::ReplySetup& setup, GenerationRequest& wanted) {
    Fields fields(request);
    int64_t budget = settings.reasoning_budget;
    for (const char* const name : {"thinking_budget_tokens", "reasoning_budget_tokens", "reasoning_budget"}) {
        budget = fields.integer(name, budget);
        if (budget < -1) fields.wrong(cat("'", name, "': expected a number of at least -1, found ", budget));
    }
    const std::string message = fields.text("reasoning_budget_message", settings.reasoning_budget_message);
    const bool forced_open = fields.flag("thinking_forced_open");
    INGLE_TRY(fields.status());
    const chat::ReplyStyle& style = chat::style_of(*model.chat_template);
    const chat::ReasoningMarks* const marks = style.reasoning();
    if (marks == nullptr) return {};
    if (forced_open && !chat::begins_in_reasoning(style, setup.prompt_end)) setup.prompt_end += marks->open;
    const std::string end = chat::stop_reasoning_text(style);
    const TextPiece pieces[] = {{message, false}, {end, true}};
    wanted.reasoning.open = marks->open;
    wanted.reasoning.close = marks->close;
    wanted.reasoning.begins_open = chat::begins_in_reasoning(style, setup.prompt_end);
    wanted.reasoning.budget = budget;
    wanted.reasoning.end_tokens = model.tokenizer().encode(pieces, false);
    return {};
}

// How the reply is to be read, and the grammar that keeps it to calls where the request demands them.
Status take_tools(const Json& request, const ServedModel& model, const Settings& settings,
                  const ChatPrompt& prompt, Job& job, GenerationRequest& wanted) {
    Fields fields(request);
    chat::ReplySetup setup;
    const Json* const tools = fields.array("tools");
    if (tools != nullptr && !tools->empty()) setup.tools = *tools;
    if (const Json* const choice = member(request, "tool_choice")) {
        const Json* const function = member(*choice, "function");
        const Json* const name = function == nullptr ? nullptr : member(*function, "name");
        if (choice->is_string()) setup.tool_choice = choice->get<std::string>();
        else if (name != nullptr && name->is_string()) setup.tool_choice = name->get<std::string>();
        else fields.wrong("'tool_choice': expected none, auto, required or a function");
    }
    setup.parallel_calls = fields.flag("parallel_tool_calls", true);
    const std::string format = fields.text("reasoning_format", settings.split_reasoning ? "auto" : "none");
    setup.split_reasoning = format != "none";
    constexpr size_t end_bytes = 256;
    const std::string_view before = std::string_view(prompt.text).substr(0, prompt.text.size() - prompt.prefill.size());
    setup.prompt_end = before.substr(before.size() - std::min(before.size(), end_bytes));
    INGLE_TRY(fields.status());

    const bool demanded = !setup.tools.is_null() && setup.tool_choice != "none" && setup.tool_choice != "auto";
    if (demanded && wanted.grammar)
        return fail(Code::invalid_argument, "'tool_choice' demands a call, another field a form of the answer");
    INGLE_TRY(prepare_reply(model, setup, wanted));
    INGLE_TRY(take_reasoning(request, model, settings, setup, wanted));
    job.reply = std::move(setup);
    return {};
}

}  // namespace

std::unique_ptr<Surface> make_openai_chat(Form form) {
    return std::make_unique<OpenaiChat>(std::move(form));
}

Result<Job> chat_job(const Json& request, std::shared_ptr<const ServedModel> model, const Settings& settings,
                     Form& form) {
    INGLE_ASSIGN(GenerationRequest wanted, generation_of(request, *model, settings));
    INGLE_ASSIGN(ChatPrompt prompt, chat_prompt_of(request, *model, settings));
    INGLE_TRY(take_logprobs(request, wanted));
    Job job;
    INGLE_TRY(take_tools(request, *model, settings, prompt, job, wanted));
    Fields fields(request);
    job.stream = fields.flag("stream");
    INGLE_TRY(fields.status());
    job.prefill = std::move(prompt.prefill);
    wanted.begins_text = true;
    form.prompt_tokens = int64_t(prompt.tokens.size());
    if (form.verbose) form.verbose_prompt = text_as_read(model->tokenizer(), prompt.tokens);
    wanted.prompt = std::move(prompt.tokens);
    form.logprobs = wanted.logprobs;
    job.id = form.id;
    job.model = std::move(model);
    job.requests.push_back(std::move(wanted));
    return job;
}

}  // namespace ingle::server
