#include "server/surfaces/anthropic.h"

namespace ingle::server {

namespace {

Status no_input(const std::string& kind) {
    return fail(Code::invalid_argument, "'messages': ", kind, " input is not supported by this model");
}

Result<std::string> text_of_blocks(const Json& content) {
    if (content.is_string()) return content.get<std::string>();
    std::string text;
    for (const Json& block : content) {
        const Json* const type = member(block, "type");
        if (type != nullptr && (*type == "image" || *type == "document")) return no_input(*type);
        const Json* const part = member(block, "text");
        if (part == nullptr || !part->is_string())
            return fail(Code::invalid_argument, "'messages': this model reads text only, found ",
                        quoted(dump(block), 60));
        text += (text.empty() ? "" : "\n") + part->get<std::string>();
    }
    return text;
}

// One block of a message; tool results become messages of their own.
Status take_block(const Json& block, Json& message, std::string& text, Json& results) {
    const Json* const type = member(block, "type");
    if (type == nullptr || !type->is_string())
        return fail(Code::invalid_argument, "'messages': a block of 'content' has no 'type'");
    const std::string kind = type->get<std::string>();
    Fields fields(block);
    if (kind == "text") {
        text += (text.empty() ? "" : "\n") + fields.text("text");
    } else if (kind == "thinking") {
        message["reasoning_content"] = fields.text("thinking");
    } else if (kind == "redacted_thinking") {
        return {};
    } else if (kind == "tool_use") {
        const Json* const input = fields.object("input");
        message["tool_calls"].push_back(
            {{"id", fields.text("id")},
             {"type", "function"},
             {"function",
              {{"name", fields.text("name")},
               {"arguments", input == nullptr ? "{}" : dump(*input)}}}});
    } else if (kind == "tool_result") {
        const Json* const content = member(block, "content");
        INGLE_ASSIGN(std::string result, text_of_blocks(content == nullptr ? Json("") : *content));
        results.push_back({{"role", "tool"},
                           {"tool_call_id", fields.text("tool_use_id")},
                           {"content", std::move(result)}});
    } else if (kind == "image" || kind == "document") {
        return no_input(kind);
    } else {
        return fail(Code::invalid_argument, "'messages': unknown block ", quoted(kind));
    }
    return fields.status();
}

Status take_message(const Json& given, Json& messages) {
    Fields fields(given);
    fields.require("role");
    const std::string role = fields.text("role");
    const Json* const content = member(given, "content");
    INGLE_TRY(fields.status());
    Json message = {{"role", role}};
    if (content == nullptr || content->is_string()) {
        message["content"] = content == nullptr ? Json("") : *content;
        messages.push_back(std::move(message));
        return {};
    }
    if (!content->is_array())
        return fail(Code::invalid_argument, "'messages': 'content': expected a text or a list of blocks");
    std::string text;
    Json results = Json::array();
    for (const Json& block : *content) INGLE_TRY(take_block(block, message, text, results));
    for (Json& result : results) messages.push_back(std::move(result));
    if (!text.empty() || results.empty()) {
        message["content"] = std::move(text);
        messages.push_back(std::move(message));
    }
    return {};
}

Status take_tools(const Json& request, Json& chat) {
    Fields fields(request);
    if (const Json* const tools = fields.array("tools")) {
        for (const Json& tool : *tools) {
            Fields of_tool(tool);
            of_tool.require("name");
            Json function = {{"name", of_tool.text("name")}, {"description", of_tool.text("description")}};
            const Json* const schema = of_tool.object("input_schema");
            function["parameters"] = schema == nullptr ? Json::object() : *schema;
            INGLE_TRY(of_tool.status());
            chat["tools"].push_back({{"type", "function"}, {"function", std::move(function)}});
        }
    }
    if (const Json* const choice = fields.object("tool_choice")) {
        Fields of_choice(*choice);
        const std::string type = of_choice.text("type");
        if (type == "any") chat["tool_choice"] = "required";
        else if (type == "tool")
            chat["tool_choice"] = {{"type", "function"},
                                   {"function", {{"name", of_choice.text("name")}}}};
        else if (type == "auto" || type == "none") chat["tool_choice"] = type;
        else of_choice.wrong("'tool_choice': expected auto, any, tool or none");
        if (of_choice.flag("disable_parallel_tool_use")) chat["parallel_tool_calls"] = false;
        INGLE_TRY(of_choice.status());
    }
    return fields.status();
}

std::string_view stop_reason(const Answer& answer) {
    const std::string_view reason = answer.finish_reason();
    if (reason == "tool_calls") return "tool_use";
    if (answer.finished && !answer.finished->stop.empty()) return "stop_sequence";
    return reason == "length" ? "max_tokens" : "end_turn";
}

Json stop_sequence(const Answer& answer) {
    return answer.finished && !answer.finished->stop.empty() ? Json(answer.finished->stop) : Json(nullptr);
}

Json usage_of(const Timings& timings) {
    return {{"cache_read_input_tokens", timings.cached_tokens},
            {"input_tokens", timings.prompt_tokens - timings.cached_tokens},
            {"output_tokens", timings.tokens}};
}

class Anthropic : public Surface {
  public:
    explicit Anthropic(Form form) : form_(std::move(form)) {}

    void begin(std::string& out) override {
        event(out, "message_start",
              {{"message",
                {{"id", form_.id},
                 {"type", "message"},
                 {"role", "assistant"},
                 {"content", Json::array()},
                 {"model", form_.model},
                 {"stop_reason", nullptr},
                 {"stop_sequence", nullptr},
                 {"usage", usage_of({.prompt_tokens = form_.prompt_tokens})}}}});
    }

    void piece(const Piece& piece, const Answer& answer, std::string& out) override {
        using Kind = chat::ReplyPiece::Kind;
        for (const chat::ReplyPiece& part : piece.reply) {
            if (part.kind == Kind::call) {
                close_block(out);
                const ToolCall& call = answer.calls[size_t(part.call)];
                open_block(out, Kind::call,
                           {{"type", "tool_use"},
                            {"id", call.id},
                            {"name", call.name},
                            {"input", Json::object()}});
                continue;
            }
            if (part.text.empty()) continue;
            if (part.kind == Kind::arguments) {
                delta(out, {{"type", "input_json_delta"}, {"partial_json", part.text}});
                continue;
            }
            const bool thinking = part.kind == Kind::reasoning;
            if (!open_ || kind_ != part.kind) {
                close_block(out);
                open_block(out, part.kind,
                           thinking ? Json{{"type", "thinking"}, {"thinking", ""}, {"signature", ""}}
                                    : Json{{"type", "text"}, {"text", ""}});
            }
            delta(out, thinking ? Json{{"type", "thinking_delta"}, {"thinking", part.text}}
                                : Json{{"type", "text_delta"}, {"text", part.text}});
        }
    }

    void finish(int, const Answer& answer, std::string& out) override {
        close_block(out);
        event(out, "message_delta",
              {{"delta",
                {{"stop_reason", std::string(stop_reason(answer))},
                 {"stop_sequence", stop_sequence(answer)}}},
               {"usage", usage_of(answer.timings)}});
    }

    void end(const std::vector<Answer>&, std::string& out) override { event(out, "message_stop", Json::object()); }

    void fail(const Error& error, std::string& out) override {
        append_event(out, error_body(error, Dialect::anthropic), "error");
    }

    Json whole(const std::vector<Answer>& answers) override {
        const Answer& answer = answers.front();
        Json content = Json::array();
        if (!answer.reasoning.empty())
            content.push_back({{"type", "thinking"}, {"thinking", answer.reasoning}, {"signature", ""}});
        if (!answer.content.empty() || answer.calls.empty())
            content.push_back({{"type", "text"}, {"text", answer.content}});
        for (const ToolCall& call : answer.calls) {
            Json input = Json::parse(call.arguments, nullptr, false);
            content.push_back({{"type", "tool_use"},
                               {"id", call.id},
                               {"name", call.name},
                               {"input", input.is_discarded() ? Json(Json::object()) : std::move(input)}});
        }
        return {{"id", form_.id},
                {"type", "message"},
                {"role", "assistant"},
                {"content", std::move(content)},
                {"model", form_.model},
                {"stop_reason", std::string(stop_reason(answer))},
                {"stop_sequence", stop_sequence(answer)},
                {"usage", usage_of(answer.timings)}};
    }

    std::string_view ping() const override { return "event: ping\ndata: {\"type\":\"ping\"}\n\n"; }

  private:
    static void event(std::string& out, const char* name, Json data) {
        Json whole = {{"type", name}};
        whole.update(data);
        append_event(out, whole, name);
    }
    void open_block(std::string& out, chat::ReplyPiece::Kind kind, Json block) {
        event(out, "content_block_start", {{"index", index_}, {"content_block", std::move(block)}});
        open_ = true;
        kind_ = kind;
    }
    void close_block(std::string& out) {
        if (!open_) return;
        event(out, "content_block_stop", {{"index", index_++}});
        open_ = false;
    }
    void delta(std::string& out, Json delta) {
        event(out, "content_block_delta", {{"index", index_}, {"delta", std::move(delta)}});
    }

    Form form_;
    int index_ = 0;
    bool open_ = false;
    chat::ReplyPiece::Kind kind_ = chat::ReplyPiece::Kind::content;
};

}  // namespace

Result<Json> chat_from_anthropic(const Json& request) {
    Fields fields(request);
    fields.require("messages");
    const Json* const messages = fields.array("messages");
    INGLE_TRY(fields.status());
    if (messages == nullptr || messages->empty())
        return ingle::fail(Code::invalid_argument, "'messages': expected a list of messages");
    Json chat = Json::object();
    for (const char* const same : {"model", "stream", "temperature", "top_p", "top_k", "min_p",
                                   "seed", "chat_template_kwargs", "id_slot", "cache_prompt"})
        if (const Json* const field = member(request, same)) chat[same] = *field;
    chat["max_tokens"] = fields.integer("max_tokens", -1);
    chat["messages"] = Json::array();
    if (const Json* const system = member(request, "system")) {
        INGLE_ASSIGN(std::string text, text_of_blocks(*system));
        chat["messages"].push_back({{"role", "system"}, {"content", std::move(text)}});
    }
    for (const Json& message : *messages) INGLE_TRY(take_message(message, chat["messages"]));
    if (const Json* const stops = fields.array("stop_sequences")) chat["stop"] = *stops;
    if (const Json* const thinking = fields.object("thinking")) {
        Fields inner(*thinking);
        const bool on = inner.text("type") != "disabled";
        const int64_t budget = inner.integer("budget_tokens", -1);
        INGLE_TRY(inner.status());
        chat["chat_template_kwargs"]["enable_thinking"] = on;
        if (on && budget >= 0) chat["reasoning_budget"] = budget;
    }
    INGLE_TRY(take_tools(request, chat));
    INGLE_TRY(fields.status());
    return chat;
}

std::unique_ptr<Surface> make_anthropic(Form form) { return std::make_unique<Anthropic>(std::move(form)); }

}  // namespace ingle::server
