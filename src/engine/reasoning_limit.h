// Ends an answer's reasoning from outside: after a number of tokens, or when somebody asks for it. The model is made to
// write what closes the reasoning, and goes on by itself from there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/vocabulary.h"

namespace ingle {

struct ReasoningOptions {
    std::string open;              // what opens it in the text; both empty: answers have no reasoning
    std::string close;
    bool begins_open = false;      // the prompt has opened it
    int64_t budget = -1;           // tokens of reasoning; -1: any number
    std::vector<Token> end_tokens; // that end it; should hold `close`
};

class ReasoningLimit {
  public:
    explicit ReasoningLimit(ReasoningOptions options);

    // The token that must come next, if it is not the model's to choose.
    std::optional<Token> forced();
    // A token has come, with the text that it made certain.
    void took(std::string_view text);
    // Ends it now, if it is open.
    void stop();
    bool open() const { return open_; }

  private:
    bool tail_is(std::string_view mark) const { return !mark.empty() && tail_.ends_with(mark); }

    ReasoningOptions options_;
    std::string tail_;        // the last bytes of the text, as many as a mark has
    bool open_ = false;
    bool stopped_ = false;
    int64_t tokens_ = 0;
    size_t forced_ = 0;       // of end_tokens
};

}  // namespace ingle
