// The built-in chat templates, one file each in chat/builtin/: the file's name is the template's
// name.
#pragma once

#include <span>
#include <string_view>

namespace ingle::chat {

struct BuiltinTemplate {
    std::string_view name;    // "chatml", "llama3", "granite-4.0"
    std::string_view source;  // Jinja
};

// Ascending by name.
std::span<const BuiltinTemplate> builtin_templates();
// Null if there is none of that name.
const BuiltinTemplate* find_builtin_template(std::string_view name);

}  // namespace ingle::chat
