#include "chat/reading/tools.h"

namespace ingle::chat {

namespace {

const Json* member(const Json& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
}

// What the types named in a schema allow: text, other values.
struct Allowed {
    bool text = false, other = false;
};

void look_at_value(const Json& value, Allowed& allowed) {
    (value.is_string() ? allowed.text : allowed.other) = true;
}

void look_at_type(const Json& type, Allowed& allowed) {
    if (type.is_string()) (type == "string" ? allowed.text : allowed.other) = true;
    if (type.is_array())
        for (const Json& one : type) look_at_type(one, allowed);
}

void look(const Json& schema, Allowed& allowed, int depth) {
    if (depth > 8) return;
    if (const Json* type = member(schema, "type")) return look_at_type(*type, allowed);
    if (const Json* value = member(schema, "const")) return look_at_value(*value, allowed);
    if (const Json* values = member(schema, "enum"); values && values->is_array())
        for (const Json& value : *values) look_at_value(value, allowed);
    for (const char* key : {"anyOf", "oneOf", "allOf"})
        if (const Json* parts = member(schema, key); parts && parts->is_array())
            for (const Json& part : *parts) look(part, allowed, depth + 1);
}

}  // namespace

std::vector<Tool> tools_of(const Json& tools) {
    std::vector<Tool> all;
    if (!tools.is_array()) return all;
    for (const Json& tool : tools) {
        const Json* function = member(tool, "function");
        const Json& holder = function ? *function : tool;
        const Json* name = member(holder, "name");
        if (name == nullptr || !name->is_string()) continue;
        const Json* parameters = member(holder, "parameters");
        if (parameters == nullptr) parameters = member(holder, "input_schema");
        Json schema = parameters && parameters->is_object() ? *parameters : Json::object();
        if (!schema.contains("type") && !schema.contains("$ref")) schema["type"] = "object";
        all.push_back({.name = name->get<std::string>(), .parameters = std::move(schema)});
    }
    return all;
}

Result<std::vector<Tool>> wanted_tools(const ReplySetup& setup) {
    std::vector<Tool> tools = tools_of(setup.tools);
    if (tools.empty()) return fail(Code::invalid_argument, "tools: there is none to call");
    const std::string& choice = setup.tool_choice;
    if (choice == "auto" || choice == "required") return tools;
    std::erase_if(tools, [&](const Tool& tool) { return tool.name != choice; });
    if (tools.empty()) return fail(Code::invalid_argument, "tool_choice: there is no tool ", quoted(choice));
    return tools;
}

ValueKind kind_of_schema(const Json& schema) {
    Allowed allowed;
    look(schema, allowed, 0);
    if (allowed.text) return allowed.other ? ValueKind::unknown : ValueKind::text;
    return allowed.other ? ValueKind::json : ValueKind::unknown;
}

ValueKind kind_of_parameter(const std::vector<Tool>& tools, std::string_view tool, std::string_view key) {
    for (const Tool& one : tools) {
        if (one.name != tool) continue;
        const Json* properties = member(one.parameters, "properties");
        const Json* schema = properties ? member(*properties, std::string(key).c_str()) : nullptr;
        if (schema == nullptr) return ValueKind::unknown;
        return kind_of_schema(*schema);
    }
    return ValueKind::unknown;
}

}  // namespace ingle::chat
