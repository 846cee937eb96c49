#include "chat/adapt.h"

#include <algorithm>

namespace ingle::chat {

namespace {

// Words that no template says by itself.
constexpr const char* needle = "ingle-needle";

Json parse_json(std::string_view text) {
    return Json::parse(text, nullptr, false);
}

bool has(const Result<Rendered>& rendered, std::string_view what) {
    return rendered.ok() && rendered->text.find(what) != std::string::npos;
}

// Missing content of messages with tool calls, and any null content, becomes the empty text.
bool fill_null_content(Json& message) {
    const bool lacks = !message.contains("content") || message["content"].is_null();
    if (!lacks) return false;
    message["content"] = "";
    return true;
}

// Each tool call's arguments, if it has any.
template <class Change>
bool change_arguments(Json& message, Change change) {
    bool changed = false;
    const auto calls = message.find("tool_calls");
    if (calls == message.end() || !calls->is_array()) return false;
    for (Json& call : *calls) {
        if (!call.is_object()) continue;
        Json& holder =
            call.contains("function") && call["function"].is_object() ? call["function"] : call;
        const auto arguments = holder.find("arguments");
        if (arguments != holder.end()) changed |= change(*arguments);
    }
    return changed;
}

bool arguments_to_objects(Json& message) {
    return change_arguments(message, [](Json& arguments) {
        if (!arguments.is_string()) return false;
        const std::string& text = arguments.get_ref<const std::string&>();
        Json parsed = text.empty() ? Json::object() : parse_json(text);
        if (!parsed.is_object()) return false;
        arguments = std::move(parsed);
        return true;
    });
}

bool arguments_to_text(Json& message) {
    return change_arguments(message, [](Json& arguments) {
        if (!arguments.is_object()) return false;
        arguments = arguments.dump(-1, ' ', false, Json::error_handler_t::replace);
        return true;
    });
}

// A list of parts becomes the texts of its text parts, joined.
bool parts_to_text(Json& message) {
    const auto content = message.find("content");
    if (content == message.end() || !content->is_array()) return false;
    std::string text;
    for (const Json& part : *content) {
        if (!part.is_object() || part.value("type", "") != "text" || !part.contains("text") ||
            !part["text"].is_string())
            return false;
        text += (text.empty() ? "" : "\n") + part["text"].get<std::string>();
    }
    *content = text;
    return true;
}

bool text_to_parts(Json& message) {
    const auto content = message.find("content");
    if (content == message.end() || !content->is_string()) return false;
    *content = Json::array({Json{{"type", "text"}, {"text", *content}}});
    return true;
}

using Change = bool (*)(Json& message);

// Applies the changes to every message; nothing if none had an effect.
std::optional<Json> changed(const Json& messages, std::initializer_list<Change> changes) {
    if (!messages.is_array()) return std::nullopt;
    Json copy = messages;
    bool any = false;
    for (Json& message : copy)
        for (const Change change : changes) any |= message.is_object() && change(message);
    return any ? std::optional<Json>(std::move(copy)) : std::nullopt;
}

ChatInput conversation(std::initializer_list<Json> messages) {
    ChatInput input;
    input.messages = Json::array();
    for (const Json& message : messages) input.messages.push_back(message);
    input.add_generation_prompt = false;
    input.bos_token = "<s>";
    input.eos_token = "</s>";
    input.now = std::tm{};
    input.now->tm_mday = 1;
    input.now->tm_year = 100;
    return input;
}

Json user(const std::string& content) {
    return {{"role", "user"}, {"content", content}};
}

Json tool_call_message(const Json& content, const Json& arguments) {
    return {{"role", "assistant"},
            {"content", content},
            {"tool_calls",
             Json::array({{{"id", "call00001"},
                           {"type", "function"},
                           {"function", {{"name", "probe_tool"}, {"arguments", arguments}}}}})}};
}

}  // namespace

Capabilities probe(const std::function<Result<Rendered>(const ChatInput&)>& render) {
    Capabilities found;
    const auto text = render(conversation({user(needle)}));
    const auto parts = render(conversation({Json{
        {"role", "user"}, {"content", Json::array({{{"type", "text"}, {"text", needle}}})}}}));
    found.text_content = has(text, needle);
    // Printing the list itself shows its quotes and keys.
    found.typed_content = has(parts, needle) && !has(parts, "'text'") && !has(parts, "\"text\"");
    found.system_role =
        has(render(conversation({Json{{"role", "system"}, {"content", needle}}, user("Hello")})),
            needle);

    ChatInput prompted = conversation({user("Hello")});
    const auto closed = render(prompted);
    prompted.add_generation_prompt = true;
    const auto open = render(prompted);
    found.generation_prompt = closed.ok() && open.ok() && closed->text != open->text;
    prompted.enable_thinking = true;
    const auto thinking = render(prompted);
    prompted.enable_thinking = false;
    const auto silent = render(prompted);
    found.enable_thinking = thinking.ok() && silent.ok() && thinking->text != silent->text;

    ChatInput tools = conversation({user("Hello")});
    tools.tools = parse_json(
        R"([{"type": "function",
             "function": {"name": "probe_tool", "description": "ingle-needle",
                          "parameters": {"type": "object",
                                         "properties": {"key": {"type": "string"}},
                                         "required": ["key"]}}}])");
    found.tools = has(render(tools), needle);

    const Json object = {{"key", needle}};
    const auto with_object = render(conversation({user("Hello"), tool_call_message("", object)}));
    const auto with_text =
        render(conversation({user("Hello"), tool_call_message("", object.dump())}));
    const bool quoted_twice = has(with_text, "\\\"key\\\"");
    found.tool_calls = has(with_object, needle) || has(with_text, needle);
    found.object_arguments = has(with_object, needle) && (!has(with_text, needle) || quoted_twice);
    found.text_arguments = has(with_text, needle) && !quoted_twice && !has(with_object, needle);
    const Json arguments = found.text_arguments ? Json(object.dump()) : object;
    const auto with_null =
        render(conversation({user("Hello"), tool_call_message(nullptr, arguments)}));
    found.null_content = with_null.ok() && !has(with_null, "None");
    found.tool_results = has(render(conversation({user("Hello"), tool_call_message("", arguments),
                                                  Json{{"role", "tool"},
                                                       {"name", "probe_tool"},
                                                       {"tool_call_id", "call00001"},
                                                       {"content", "ingle-result"}}})),
                             "ingle-result");
    return found;
}

Json adapted(const Json& messages, const Capabilities& capabilities) {
    Json current = messages;
    const auto apply = [&](bool wanted, Change change) {
        if (!wanted) return;
        if (auto made = changed(current, {change})) current = std::move(*made);
    };
    apply(!capabilities.null_content, fill_null_content);
    apply(capabilities.object_arguments, arguments_to_objects);
    apply(capabilities.text_arguments, arguments_to_text);
    apply(!capabilities.typed_content && capabilities.text_content, parts_to_text);
    apply(capabilities.typed_content && !capabilities.text_content, text_to_parts);
    return current;
}

std::vector<Json> alternatives(const Json& messages) {
    std::vector<Json> made;
    const auto add = [&](std::initializer_list<Change> changes) {
        auto copy = changed(messages, changes);
        if (copy && std::find(made.begin(), made.end(), *copy) == made.end())
            made.push_back(std::move(*copy));
    };
    add({fill_null_content});
    add({arguments_to_objects});
    add({fill_null_content, arguments_to_objects});
    add({arguments_to_text});
    add({fill_null_content, arguments_to_text});
    add({parts_to_text});
    add({fill_null_content, parts_to_text, arguments_to_objects});
    add({text_to_parts});
    return made;
}

}  // namespace ingle::chat
