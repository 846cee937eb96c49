#include "server/surfaces/responses.h"

namespace ingle::server {

namespace {

using Kind = chat::ReplyPiece::Kind;

Json or_null(const Json& object, const char* name) {
    const Json* const found = member(object, name);
    return found == nullptr ? Json(nullptr) : *found;
}

// An item of the output while it is written.
struct Item {
    Kind kind = Kind::content;
    std::string id;
    std::string text;  // or arguments
    std::string call_id;
    std::string name;

    Json json(bool done) const {
        const char* const status = done ? "completed" : "in_progress";
        if (kind == Kind::call)
            return {{"id", id}, {"type", "function_call"}, {"status", status}, {"arguments", text},
                    {"call_id", call_id}, {"name", name}};
        if (kind == Kind::reasoning) {
            Json content = Json::array();
            if (done) content.push_back({{"type", "reasoning_text"}, {"text", text}});
            return {{"id", id}, {"type", "reasoning"}, {"summary", Json::array()}, {"content", std::move(content)},
                    {"encrypted_content", nullptr}, {"status", status}};
        }
        Json content = Json::array();
        if (done) content.push_back(part());
        return {{"id", id}, {"type", "message"}, {"status", status}, {"role", "assistant"},
                {"content", std::move(content)}};
    }
    Json part() const {
        return {{"type", "output_text"},
                {"annotations", Json::array()},
                {"logprobs", Json::array()},
                {"text", text}};
    }
};

class Responses : public Surface {
  public:
    explicit Responses(ResponsesForm form) : form_(std::move(form)) {}

    void begin(std::string& out) override {
        event(out, "response.created", {{"response", response_json("in_progress", {})}});
        event(out, "response.in_progress", {{"response", response_json("in_progress", {})}});
    }

    void progress(const PromptProgress& progress, const Timings& so_far, std::string& out) override {
        if (!form_.form.return_progress) return;
        Json json = {{"response", response_json("in_progress", {})},
                     {"prompt_progress", progress_json(progress, arrival_)}};
        if (form_.form.timings_per_token) json["timings"] = timings_json(so_far);
        event(out, "response.in_progress", std::move(json));
    }

    void piece(const Piece& piece, const Answer& answer, std::string& out) override {
        timings_ = answer.timings;
        for (const chat::ReplyPiece& part : piece.reply) {
            if (part.kind == Kind::call) {
                const ToolCall& call = answer.calls[size_t(part.call)];
                open({.kind = Kind::call,
                      .id = new_id("fc_"),
                      .text = {},
                      .call_id = call.id,
                      .name = call.name},
                     &out);
            } else if (!part.text.empty()) {
                append(part, &out);
            }
        }
    }

    void finish(int, const Answer&, std::string& out) override { close(&out); }

    void end(const std::vector<Answer>& answers, std::string& out) override {
        timings_ = answers.front().timings;
        const Json response = finished(answers.front());
        event(out, response["status"] == "completed" ? "response.completed" : "response.incomplete",
              with_timings({{"response", response}}));
    }

    void fail(const Error& error, std::string& out) override {
        event(out, "error", {{"code", error.type}, {"message", error.message}, {"param", nullptr}});
    }

    Json whole(const std::vector<Answer>& answers) override {
        const Answer& answer = answers.front();
        const auto add = [this](Kind kind, const std::string& text) {
            open({.kind = kind,
                  .id = new_id(kind == Kind::reasoning ? "rs_" : "msg_"),
                  .text = text,
                  .call_id = {},
                  .name = {}},
                 nullptr);
        };
        if (!answer.reasoning.empty()) add(Kind::reasoning, answer.reasoning);
        if (!answer.content.empty() || answer.calls.empty()) add(Kind::content, answer.content);
        for (const ToolCall& call : answer.calls)
            open({.kind = Kind::call,
                  .id = new_id("fc_"),
                  .text = call.arguments,
                  .call_id = call.id,
                  .name = call.name},
                 nullptr);
        close(nullptr);
        return finished(answer);
    }

  private:
    void event(std::string& out, const char* name, Json data) {
        Json whole = {{"type", name}, {"sequence_number", sequence_++}};
        whole.update(data);
        append_event(out, whole, name);
    }

    // `out` null: nothing is streamed.
    void open(Item item, std::string* out) {
        close(out);
        item_ = std::move(item);
        is_open_ = true;
        if (out == nullptr) return;
        event(*out, "response.output_item.added", {{"output_index", output_.size()}, {"item", item_.json(false)}});
        if (item_.kind == Kind::content) {
            Item empty = item_;
            empty.text.clear();
            event(*out, "response.content_part.added", place({{"part", empty.part()}}));
        }
    }

    void append(const chat::ReplyPiece& part, std::string* out) {
        const bool arguments = part.kind == Kind::arguments;
        if (!arguments && (!is_open_ || item_.kind != part.kind))
            open({.kind = part.kind,
                  .id = new_id(part.kind == Kind::reasoning ? "rs_" : "msg_"),
                  .text = {},
                  .call_id = {},
                  .name = {}},
                 out);
        item_.text += part.text;
        if (out == nullptr) return;
        if (arguments)
            event(*out, "response.function_call_arguments.delta",
                  {{"item_id", item_.id}, {"output_index", output_.size()}, {"delta", part.text}});
        else if (part.kind == Kind::reasoning)
            event(*out, "response.reasoning_text.delta", place({{"delta", part.text}}));
        else
            event(*out, "response.output_text.delta",
                  place(with_timings({{"delta", part.text}, {"logprobs", Json::array()}})));
    }

    void close(std::string* out) {
        if (!is_open_) return;
        is_open_ = false;
        if (out != nullptr) tell_done(*out);
        output_.push_back(item_.json(true));
    }

    void tell_done(std::string& out) {
        if (item_.kind == Kind::call) {
            event(out, "response.function_call_arguments.done",
                  {{"item_id", item_.id},
                   {"output_index", output_.size()},
                   {"name", item_.name},
                   {"arguments", item_.text}});
        } else if (item_.kind == Kind::reasoning) {
            event(out, "response.reasoning_text.done", place({{"text", item_.text}}));
        } else {
            event(out, "response.output_text.done", place({{"text", item_.text}, {"logprobs", Json::array()}}));
            event(out, "response.content_part.done", place({{"part", item_.part()}}));
        }
        event(out, "response.output_item.done", {{"output_index", output_.size()}, {"item", item_.json(true)}});
    }

    Json with_timings(Json json) const {
        if (form_.form.timings_per_token) json["timings"] = timings_json(timings_);
        return json;
    }

    Json place(Json more) const {
        Json json = {{"item_id", item_.id}, {"output_index", output_.size()}, {"content_index", 0}};
        json.update(more);
        return json;
    }

    Json finished(const Answer& answer) {
        const bool cut = answer.finish_reason() == "length";
        Json response = response_json(cut ? "incomplete" : "completed", output_);
        if (cut) response["incomplete_details"] = {{"reason", "max_output_tokens"}};
        const Timings& timings = answer.timings;
        response["usage"] = {{"input_tokens", timings.prompt_tokens},
                             {"input_tokens_details", {{"cached_tokens", timings.cached_tokens}}},
                             {"output_tokens", timings.tokens},
                             {"output_tokens_details", {{"reasoning_tokens", answer.reasoning_tokens}}},
                             {"total_tokens", timings.prompt_tokens + timings.tokens}};
        Json message = {{"role", "assistant"}, {"content", answer.content}};
        if (!answer.reasoning.empty()) message["reasoning_content"] = answer.reasoning;
        for (const ToolCall& call : answer.calls)
            message["tool_calls"].push_back({{"id", call.id}, {"type", "function"},
                                             {"function", {{"name", call.name}, {"arguments", call.arguments}}}});
        if (form_.finished) form_.finished(response, message);
        return response;
    }

    Json response_json(const char* status, Json output) const {
        const Json& request = form_.request;
        if (output.is_null()) output = Json::array();
        return {{"id", form_.form.id},
                {"object", "response"},
                {"created_at", form_.form.created},
                {"status", status},
                {"error", nullptr},
                {"incomplete_details", nullptr},
                {"instructions", or_null(request, "instructions")},
                {"max_output_tokens", or_null(request, "max_output_tokens")},
                {"model", form_.form.model},
                {"output", std::move(output)},
                {"parallel_tool_calls", request.value("parallel_tool_calls", true)},
                {"previous_response_id", or_null(request, "previous_response_id")},
                {"reasoning", request.contains("reasoning")
                                  ? request["reasoning"]
                                  : Json{{"effort", nullptr}, {"summary", nullptr}}},
                {"store", request.value("store", true)},
                {"temperature", or_null(request, "temperature")},
                {"text",
                 request.contains("text") ? request["text"] : Json{{"format", {{"type", "text"}}}}},
                {"tool_choice",
                 request.contains("tool_choice") ? request["tool_choice"] : Json("auto")},
                {"tools", request.contains("tools") ? request["tools"] : Json::array()},
                {"top_p", or_null(request, "top_p")},
                {"truncation", "disabled"},
                {"usage", nullptr},
                {"metadata", request.contains("metadata") ? request["metadata"] : Json::object()}};
    }

    ResponsesForm form_;
    Clock::time_point arrival_ = Clock::now();
    Timings timings_;
    int64_t sequence_ = 0;
    Json output_ = Json::array();
    Item item_;
    bool is_open_ = false;
};

Result<Json> text_of_parts(const Json& content) {
    if (content.is_string()) return content;
    std::string text;
    for (const Json& part : content) {
        Fields fields(part);
        const std::string type = fields.text("type");
        if (type != "input_text" && type != "output_text" && type != "text" && type != "refusal")
            return ingle::fail(Code::invalid_argument, "'input': parts of type ", quoted(type),
                               " are not supported by this model");
        text += fields.text(type == "refusal" ? "refusal" : "text");
        INGLE_TRY(fields.status());
    }
    return Json(text);
}

// Calls and reasoning belong to the assistant's message before or around them.
Json& assistant_message(Json& messages) {
    if (messages.empty() || messages.back()["role"] != "assistant")
        messages.push_back({{"role", "assistant"}, {"content", ""}});
    return messages.back();
}

Status take_item(const Json& item, Json& messages) {
    Fields fields(item);
    const std::string type = fields.text("type", "message");
    if (type == "message") {
        const Json* const content = member(item, "content");
        if (content == nullptr || !(content->is_string() || content->is_array()))
            return ingle::fail(Code::invalid_argument, "'input': a message has no 'content'");
        INGLE_ASSIGN(Json text, text_of_parts(*content));
        const std::string role = fields.text("role", "user");
        if (role == "assistant" && !messages.empty() && messages.back()["role"] == "assistant" &&
            messages.back()["content"] == "") {
            messages.back()["content"] = std::move(text);
        } else {
            messages.push_back({{"role", role == "developer" ? "system" : role}, {"content", std::move(text)}});
        }
    } else if (type == "function_call") {
        assistant_message(messages)["tool_calls"].push_back(
            {{"id", fields.text("call_id")}, {"type", "function"},
             {"function", {{"name", fields.text("name")}, {"arguments", fields.text("arguments", "{}")}}}});
    } else if (type == "function_call_output") {
        const Json* const output = member(item, "output");
        INGLE_ASSIGN(Json text, output == nullptr ? Result<Json>(Json("")) : text_of_parts(*output));
        messages.push_back({{"role", "tool"},
                            {"tool_call_id", fields.text("call_id")},
                            {"content", std::move(text)}});
    } else if (type == "reasoning") {
        std::string text;
        if (const Json* const content = fields.array("content"))
            for (const Json& part : *content) text += part.value("text", "");
        if (!text.empty()) {
            messages.push_back({{"role", "assistant"}, {"content", ""}, {"reasoning_content", text}});
        }
    } else {
        return ingle::fail(Code::invalid_argument, "'input': items of type ", quoted(type), " are not supported");
    }
    return fields.status();
}

Status take_tools(const Json& request, Json& chat) {
    Fields fields(request);
    if (const Json* const tools = fields.array("tools")) {
        for (const Json& tool : *tools) {
            // Tools that the service itself would run have no meaning here.
            if (tool.value("type", "") != "function") continue;
            Json function = tool;
            function.erase("type");
            chat["tools"].push_back({{"type", "function"}, {"function", std::move(function)}});
        }
    }
    if (const Json* const choice = member(request, "tool_choice")) {
        if (choice->is_object() && choice->contains("name"))
            chat["tool_choice"] = {{"type", "function"}, {"function", {{"name", (*choice)["name"]}}}};
        else chat["tool_choice"] = *choice;
    }
    if (const Json* const text = fields.object("text"))
        if (const Json* const format = member(*text, "format")) chat["response_format"] = *format;
    if (const Json* const reasoning = fields.object("reasoning"))
        if (const Json* const effort = member(*reasoning, "effort")) chat["reasoning_effort"] = *effort;
    return fields.status();
}

}  // namespace

Result<Json> chat_from_responses(const Json& request, const Json& history) {
    Fields fields(request);
    fields.require("input");
    INGLE_TRY(fields.status());
    Json chat = Json::object();
    for (const char* const same :
         {"model", "stream", "temperature", "top_p", "seed", "parallel_tool_calls", "top_k",
          "min_p", "chat_template_kwargs", "cache_prompt", "timings_per_token", "return_progress"})
        if (const Json* const field = member(request, same)) chat[same] = *field;
    if (const Json* const length = member(request, "max_output_tokens")) chat["max_tokens"] = *length;
    chat["messages"] = Json::array();
    if (const std::string instructions = fields.text("instructions"); !instructions.empty())
        chat["messages"].push_back({{"role", "system"}, {"content", instructions}});
    for (const Json& message : history) chat["messages"].push_back(message);
    const Json& input = request["input"];
    if (input.is_string()) {
        chat["messages"].push_back({{"role", "user"}, {"content", input}});
    } else if (input.is_array()) {
        for (const Json& item : input) INGLE_TRY(take_item(item, chat["messages"]));
    } else {
        return ingle::fail(Code::invalid_argument, "'input': expected a text or a list of items");
    }
    INGLE_TRY(take_tools(request, chat));
    INGLE_TRY(fields.status());
    return chat;
}

std::unique_ptr<Surface> make_responses(ResponsesForm form) {
    return std::make_unique<Responses>(std::move(form));
}

}  // namespace ingle::server
