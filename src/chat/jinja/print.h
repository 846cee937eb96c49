// str(), repr() and json.dumps(), byte for byte as Python gives them, with the origin of all text
// kept.
#pragma once

#include "chat/jinja/value.h"

namespace ingle::jinja {

// repr(float): the shortest digits that read back, exponents from 1e16 and below 1e-4.
std::string real_text(double value);

Status append_str(Runtime& runtime, TextBuilder& out, const Value& value);
Status append_repr(Runtime& runtime, TextBuilder& out, const Value& value);
// str(value); a text is given as it is.
Result<TextPtr> to_text(Runtime& runtime, const Value& value);

struct JsonStyle {
    bool ascii_only = false;
    std::optional<Text> indent;  // one level of it; nothing: all on one line
    Text item_separator = Text(", ");
    Text key_separator = Text(": ");
    bool sort_keys = false;
};

Status append_json(Runtime& runtime, TextBuilder& out, const Value& value, const JsonStyle& style);

}  // namespace ingle::jinja
