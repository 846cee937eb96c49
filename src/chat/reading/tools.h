// The tools of a request, as reading and grammars look at them. Takes OpenAI's form
// ({"type": "function", "function": {...}}) and the bare function ({"name": ..., "parameters": {...}}).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chat/reply.h"

namespace ingle::chat {

struct Tool {
    std::string name;
    Json parameters;  // a JSON Schema; an object without properties if the request gives none
};

std::vector<Tool> tools_of(const Json& tools);
// Those that tool_choice leaves: all, or the one it names. Fails if there is none.
Result<std::vector<Tool>> wanted_tools(const ReplySetup& setup);

// How a value that a model writes without quotes is to be read.
enum class ValueKind { text, json, unknown };
ValueKind kind_of_schema(const Json& schema);
// By the schema of the parameter `key` of the tool.
ValueKind kind_of_parameter(const std::vector<Tool>& tools, std::string_view tool, std::string_view key);

}  // namespace ingle::chat
