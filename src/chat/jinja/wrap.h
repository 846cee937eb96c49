// Filling lines of at most so many characters, as Python's textwrap does without expanding or
// replacing blanks.
#pragma once

#include "chat/jinja/text.h"

namespace ingle::jinja {

struct WrapStyle {
    int64_t width = 79;
    bool break_long_words = true;
    bool break_on_hyphens = true;
};

// The byte ranges of the lines that `line` of `text` becomes; none if it is blank.
std::vector<Range> wrapped_lines(const Text& text, Range line, const WrapStyle& style);

}  // namespace ingle::jinja
