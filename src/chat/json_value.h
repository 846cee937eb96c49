// JSON to values of the template language. All text in it is data: untrusted, except the role names
// everyone uses.
#pragma once

#include <nlohmann/json.hpp>

#include "base/status.h"
#include "chat/jinja/value.h"

namespace ingle::chat {

// Fails on nesting deeper than `depth_max`. Whole numbers beyond 64 bits become floats.
// "role" of an object keeps its origin only if it is none of the usual names: templates write "<|"
// + role + "|>".
Result<jinja::Value> value_from_json(const nlohmann::ordered_json& json, int depth_max);

}  // namespace ingle::chat
