// Finding marks in a text of which only the beginning is known.
#pragma once

#include <span>
#include <string_view>

namespace ingle::chat {

struct MarkFound {
    size_t at = 0;   // bytes of text surely before any mark
    int mark = -1;   // which one begins there; -1: none, or it cannot be told yet
};

// The first mark in the text; of several at one place the longest. Empty marks are never found. `last`: no more
// text comes.
MarkFound find_mark(std::string_view text, std::span<const std::string_view> marks, bool last);

// How the text begins: with the mark, with something else, or not yet known.
enum class Begins { yes, no, unknown };
Begins begins_with(std::string_view text, std::string_view mark, bool last);

bool is_white(char c);
// How much white space the text begins with.
size_t white_prefix(std::string_view text);

}  // namespace ingle::chat
