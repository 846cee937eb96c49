// A JSON document that keeps the order of members and the digits of numbers.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace ingle::grammar {

struct Json {
    enum class Type { null, boolean, number, string, array, object };
    Type type = Type::null;
    bool boolean = false;
    std::string text = {};  // a string's characters, a number's digits
    std::vector<Json> items = {};
    std::vector<std::pair<std::string, Json>> members = {};

    bool is(Type wanted) const { return type == wanted; }
    // The last member of this name, or null.
    const Json* find(std::string_view name) const;
    // A number without fraction from 0 to 2^31, else nothing.
    std::optional<uint32_t> count() const;

    static constexpr int depth_max = 200;
    static Result<Json> parse(std::string_view text);
};

// "a string", "an array", ...
std::string_view name_of(Json::Type type);
// `pointer` with one more step, escaped as RFC 6901 wants it.
std::string pointer_to(std::string_view pointer, std::string_view step);

}  // namespace ingle::grammar
