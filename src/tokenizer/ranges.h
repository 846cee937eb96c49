// A set of characters read at compile time from the [A-Zµ一-龥] of a regular expression.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tokenizer/split.h"

namespace ingle::pre {

class RangeSet {
  public:
    // Takes the text between the first '[' and the first ']' after it; no escapes, no classes.
    explicit consteval RangeSet(std::string_view pattern) {
        const size_t begin = pattern.find('[') + 1;
        std::string_view text = pattern.substr(begin, pattern.find(']', begin) - begin);
        while (!text.empty()) {
            const char32_t first = take(text);
            char32_t last = first;
            if (text.size() > 1 && text[0] == '-') {
                text.remove_prefix(1);
                last = take(text);
            }
            ranges_[count_++] = {first, last};
        }
    }

    bool has(char32_t point) const {
        for (size_t i = 0; i < count_; ++i)
            if (point >= ranges_[i].first && point <= ranges_[i].last) return true;
        return false;
    }

  private:
    struct Range {
        char32_t first = 0;
        char32_t last = 0;
    };

    // The literals are well-formed UTF-8.
    static consteval char32_t take(std::string_view& text) {
        const auto byte = [&](size_t i) { return char32_t(static_cast<unsigned char>(text[i])); };
        const size_t length = byte(0) < 0x80 ? 1 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
        char32_t point = length == 1 ? byte(0) : byte(0) & (0xffu >> (length + 1));
        for (size_t i = 1; i < length; ++i) point = point << 6 | (byte(i) & 0x3f);
        text.remove_prefix(length);
        return point;
    }

    std::array<Range, 96> ranges_;
    size_t count_ = 0;
};

// [...]+
template <const RangeSet& set>
size_t range_run(std::string_view text, size_t at) {
    return skip_while(text, at, [](const Character& c) { return set.has(c.point); });
}

// \s?[...]+
template <const RangeSet& set>
size_t spaced_range_run(std::string_view text, size_t at) {
    const size_t begin = skip(text, at, spaces, 1);
    const size_t end = range_run<set>(text, begin);
    return end != begin ? end : range_run<set>(text, at);
}

}  // namespace ingle::pre
