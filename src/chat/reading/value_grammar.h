// Grammars of arguments that are not written as JSON, from their JSON Schemas. Such notations are held to the parts of
// JSON Schema that tools use; any other keyword is an error that names it.
#pragma once

#include <string>
#include <vector>

#include "chat/reading/gbnf_text.h"
#include "chat/reading/json_mender.h"

namespace ingle::chat {

// A parameter of a tool.
struct Member {
    std::string name;
    Json schema;
    bool required = false;
};

// The members of an object's schema, in its order.
Result<std::vector<Member>> plain_members(const Json& schema);

// A value that stands as text before the mark `close`: strings as they are, everything else as JSON.
Result<std::string> text_value(GbnfText& text, const Json& schema, std::string_view close);

// An object in a notation: {key:value,...} with marked strings, or (key=value, ...).
Result<std::string> object_in_notation(GbnfText& text, const Json& schema, const Notation& notation);

}  // namespace ingle::chat
