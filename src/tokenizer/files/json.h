// Reading JSON files of others: parse with the place of the fault, members without surprises.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/status.h"

namespace ingle::files {

using Json = nlohmann::json;

// `what` names the file in messages. Fails with the byte where the text stops being JSON, and for
// nesting so deep that walking it would need much stack.
Result<Json> parse_json(std::string_view text, std::string_view what);

// The member of an object; null where there is none or `json` is no object.
const Json& member(const Json& json, const char* key);

// A member that is a string or true or false; otherwise nothing or the fallback.
std::string_view text_member(const Json& json, const char* key);
bool flag_member(const Json& json, const char* key, bool fallback);

// The id in a number, or -1 for anything that cannot be one.
int64_t id_of(const Json& json);

// How a value may be shown in a message: written out and cut.
std::string shown(const Json& json);

}  // namespace ingle::files
