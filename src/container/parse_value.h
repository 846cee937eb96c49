// Metadata values from text: "u32:7", "str:abc", "f32[]:1,2.5"; and back.
#pragma once

#include <functional>
#include <optional>

#include "gguf/value.h"

namespace ingle::container {

// The type a value shall have.
struct ValueKind {
    gguf::ValueType type = gguf::ValueType::string;  // of the elements, if `list`
    bool list = false;

    bool operator==(const ValueKind&) const = default;
};

ValueKind kind_of(const gguf::Value& value);

// "u8" ... "f64", "bool", "str" or "string", also llama.cpp's "int" (i64) and "float" (f64), with "[]" for a list.
// Nothing if it is none of them.
std::optional<ValueKind> parse_kind(std::string_view text);

// Numbers must fit; bools are true, false, 1 or 0. Elements of lists are separated by commas; a string with a comma
// cannot be an element here.
Result<gguf::Value> parse_value(std::string_view text, ValueKind kind);

// "KEY=TYPE:VALUE", or "KEY=VALUE" for a key that is there already, whose type stays.
struct Assignment {
    std::string key;
    gguf::Value value;
};
Result<Assignment> parse_assignment(std::string_view text,
                                    const std::function<const gguf::Value*(std::string_view)>& find);

// The whole value as text: numbers, the string itself, elements one a line.
std::string text_of(const gguf::Value& value);

}  // namespace ingle::container
