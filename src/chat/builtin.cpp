#include "chat/builtin.h"

#include <algorithm>

namespace ingle::chat {

const BuiltinTemplate* find_builtin_template(std::string_view name) {
    const auto all = builtin_templates();
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const BuiltinTemplate& entry) { return entry.name == name; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace ingle::chat
