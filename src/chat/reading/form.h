// How a style writes reasoning and calls. From one description both the reading of replies and the grammar that
// forces them follow.
#pragma once

#include <span>
#include <string_view>

#include "chat/reading/notation.h"

namespace ingle::chat {

// The marks around reasoning.
struct ReasoningMarks {
    std::string_view open, close;
};

// How one call, or a list of them, stands between its marks.
enum class Shape {
    json,        // {"name": "f", "arguments": {...}}, or a list of those
    headed,      // head {...}: the head holds the name
    parameters,  // name, then one marked text for each parameter
};

// Parts of a head besides literal text.
inline constexpr std::string_view head_name = "{name}";
inline constexpr std::string_view head_id = "{id}";
inline constexpr std::string_view head_number = "{number}";

// The marks of Shape::parameters. A name or key ends where the text behind it begins.
struct ParameterMarks {
    std::string_view name_open = {}, name_close = {};
    std::string_view key_open = {}, key_close = {};
    std::string_view value_open = {}, value_close = {};  // an empty value_open: the value follows the key's end
    std::string_view call_close = {};                    // behind the last parameter
    bool lines = false;             // values stand on lines of their own
    bool typed = false;             // behind a key: " string="true" or " string="false"
    std::string_view between = {};  // white space between marks, where a grammar writes it
};

struct Form {
    Shape shape = Shape::json;
    // Around all calls together, and around each; what is empty is not there. A form in which nothing opens a call
    // is looked for at the beginning of the content alone.
    std::string_view section_open = {}, section_close = {};
    std::string_view call_open = {}, call_close = {};
    std::string_view separator = {};  // between calls, where a grammar writes them
    std::string_view space = {};      // inside the marks of a call, where a grammar writes it

    // Shape::json.
    std::string_view name_key = "name", arguments_key = "arguments";
    std::string_view id_key = {};  // before the name; may be missing
    bool list = false;         // a grammar writes a list
    bool name_is_key = false;  // {"f": {...}}

    // Shape::headed.
    std::span<const std::string_view> head = {};  // literals and the parts above
    std::string_view behind_arguments = {};  // white space around it may be missing
    bool id_is_head = false;    // the id of a call is its whole head
    Notation notation = {};     // of the arguments

    // Shape::parameters.
    ParameterMarks marks = {};
};

struct Writing {
    std::span<const ReasoningMarks> reasoning = {};  // the first are what the style writes itself
    bool reasoning_anywhere = false;  // else only before all content, and behind calls
    std::span<const Form> forms = {};
    std::span<const std::string_view> dropped = {};  // marks that mean nothing to a client
    std::string_view behind_reasoning = {};  // what a grammar writes between reasoning and calls
};

inline constexpr ReasoningMarks think_marks[] = {{"<think>", "</think>"}};

}  // namespace ingle::chat
