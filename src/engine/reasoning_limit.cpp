#include "engine/reasoning_limit.h"

#include <algorithm>

namespace ingle {

ReasoningLimit::ReasoningLimit(ReasoningOptions options)
    : options_(std::move(options)), open_(options_.begins_open) {
    tail_.reserve(2 * std::max(options_.open.size(), options_.close.size()) + 64);
}

std::optional<Token> ReasoningLimit::forced() {
    if (!open_ || options_.end_tokens.empty()) return std::nullopt;
    const bool spent = options_.budget >= 0 && tokens_ >= options_.budget;
    if (!stopped_ && !spent) return std::nullopt;
    stopped_ = true;
    const Token token = options_.end_tokens[forced_];
    if (++forced_ == options_.end_tokens.size()) {
        // Closed now, even if its text is still to come.
        open_ = stopped_ = false;
        forced_ = 0;
        tail_.clear();
    }
    return token;
}

void ReasoningLimit::took(std::string_view text) {
    if (options_.close.empty()) return;
    if (open_ && !stopped_) ++tokens_;
    const size_t kept = std::max(options_.open.size(), options_.close.size());
    for (const char byte : text) {
        if (tail_.size() > 2 * kept) tail_.erase(0, tail_.size() - kept);
        tail_ += byte;
        if (open_ ? tail_is(options_.close) : tail_is(options_.open)) {
            open_ = !open_;
            stopped_ = false;
            forced_ = 0;
            tail_.clear();
        }
    }
}

void ReasoningLimit::stop() {
    if (open_) stopped_ = true;
}

}  // namespace ingle
