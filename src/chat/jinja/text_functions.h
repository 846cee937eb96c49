// What both filters and methods do with text. Offsets are bytes; everything keeps the origin.
#pragma once

#include "chat/jinja/unicode.h"
#include "chat/jinja/value.h"

namespace ingle::jinja {

Result<Value> sub_text(Runtime& runtime, const Text& text, size_t begin, size_t end);
Result<Value> cased(Runtime& runtime, const Text& text, Case wanted);
// The first character in title case, the rest lower.
Result<Value> capitalized(Runtime& runtime, const Text& text);
// str.title(): a capital after everything that is not a letter.
Result<Value> titled(Runtime& runtime, const Text& text);
Result<Value> case_swapped(Runtime& runtime, const Text& text);
// Without the characters of `unwanted` (null: white space) at the chosen ends.
Result<Value> stripped(Runtime& runtime, const Text& text, const Text* unwanted, bool left,
                       bool right);
// Up to `count` occurrences, all if it is negative.
Result<Value> replaced(Runtime& runtime, const Text& text, const Text& old_part,
                       const Text& new_part, int64_t count);
// Padded to `width` characters; `left` and `right` say where the text may get padding.
Result<Value> padded(Runtime& runtime, const Text& text, int64_t width, const Text& fill, bool left,
                     bool right);
// Lines without their ends, as byte ranges; `keep_ends`: with them.
std::vector<Range> lines_of(const Text& text, bool keep_ends = false);
// Runs of characters that are no white space.
std::vector<Range> words_of(const Text& text);

}  // namespace ingle::jinja
