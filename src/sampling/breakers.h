// DRY's sequence breakers, found in the text of the tokens: a breaker may be spread over tokens
// (also over the bytes of one character), and no list of the vocabulary's tokens has to be made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace ingle::sampling {

// Refuses a breaker that is empty, longer than 256 bytes or not UTF-8, and more than 128 of them.
// The single breaker "none" stands for no breakers.
Status check_breakers(const std::vector<std::string>& breakers);

class BreakerFinder {
  public:
    // `breakers` passed check_breakers.
    explicit BreakerFinder(const std::vector<std::string>& breakers);

    // True if a breaker ends inside `text`, which continues the text fed before.
    bool feed(std::string_view text);
    // True if `text` alone contains a breaker.
    bool contains(std::string_view text) const;
    void reset() { window_.clear(); }

  private:
    std::vector<std::string> breakers_;
    size_t longest_ = 0;
    std::string window_;  // the last longest_ - 1 bytes
};

}  // namespace ingle::sampling
