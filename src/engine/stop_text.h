// Watches a stream of text for stop strings: what may be the beginning of one is held back, everything else flows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ingle {

class StopText {
  public:
    // Empty strings are ignored.
    explicit StopText(std::vector<std::string> stops);

    // The text that can be shown now. After a match nothing more comes.
    std::string push(std::string_view text);
    // What was held back, at the end of a stream that did not match.
    std::string flush();
    bool stopped() const { return !matched_.empty(); }
    const std::string& matched() const { return matched_; }

  private:
    std::vector<std::string> stops_;
    std::string held_;
    std::string matched_;
};

}  // namespace ingle
