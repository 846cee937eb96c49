// Regular expressions that match in time linear in the text, whatever the pattern: all states of
// the automaton advance together (Thompson, 1968), nothing backtracks, nothing recurses over input.
//
//   literals  .  [a-z] [^0-9]  \d \w \s \D \W \S  \. and other escapes  ( ) (?: )  |  ^ $
//   * + ? {2} {1,3} {2,}  (a trailing ? for "lazy" changes nothing, as nothing is captured)
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace ingle {

class Pattern {
  public:
    // Fails, naming the position, on what is not of the list above, and on patterns that would take
    // more than `states_max` states.
    static Result<Pattern> compile(std::string_view text);

    // True if some part of `text` matches; ^ and $ hold it to the ends.
    bool found_in(std::string_view text) const;

    const std::string& text() const { return text_; }

    static constexpr size_t states_max = 4096;

  private:
    friend class PatternCompiler;
    enum class Kind : uint8_t { bytes, split, begin, end, match };
    // `bytes` consumes one byte of set number `set` and goes to `next`; `split` goes to both.
    struct State {
        Kind kind = Kind::match;
        uint32_t set = 0;
        uint32_t next = 0;
        uint32_t other = 0;
    };

    std::string text_;
    std::vector<State> states_;
    std::vector<std::bitset<256>> sets_;
    uint32_t start_ = 0;
};

}  // namespace ingle
