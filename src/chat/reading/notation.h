// How arguments are written where it is not JSON.
#pragma once

#include <string_view>

namespace ingle::chat {

// What a notation has that JSON has not.
struct Notation {
    std::string_view string_mark = {};  // stands before and behind strings, in which nothing is escaped
    bool keyword_arguments = false;     // the value is (name=value, ...) as in Python, and becomes an object
};

}  // namespace ingle::chat
