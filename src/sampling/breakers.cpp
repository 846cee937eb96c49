#include "sampling/breakers.h"

#include <algorithm>

#include "base/utf8.h"

namespace ingle::sampling {

Status check_breakers(const std::vector<std::string>& breakers) {
    constexpr size_t count_max = 128;
    constexpr size_t bytes_max = 256;
    if (breakers.size() > count_max)
        return fail(Code::invalid_argument, "dry_sequence_breakers: expected at most ", count_max,
                    ", found ", breakers.size());
    for (const std::string& breaker : breakers) {
        if (breaker.empty())
            return fail(Code::invalid_argument, "dry_sequence_breakers: found an empty breaker");
        if (breaker.size() > bytes_max)
            return fail(Code::invalid_argument, "dry_sequence_breakers: expected at most ",
                        bytes_max, " bytes, found ", breaker.size());
        if (!utf8::valid(breaker))
            return fail(Code::invalid_argument, "dry_sequence_breakers: expected UTF-8, found ",
                        quoted(utf8::replace_invalid(breaker)));
    }
    return {};
}

BreakerFinder::BreakerFinder(const std::vector<std::string>& breakers) {
    if (breakers.size() == 1 && breakers.front() == "none") return;
    breakers_ = breakers;
    for (const std::string& breaker : breakers_) longest_ = std::max(longest_, breaker.size());
}

bool BreakerFinder::feed(std::string_view text) {
    if (breakers_.empty()) return false;
    const size_t before = window_.size();
    window_ += text;
    const bool found = std::ranges::any_of(breakers_, [&](const std::string& breaker) {
        // An occurrence from here on ends inside `text`.
        const size_t start = before + 1 > breaker.size() ? before + 1 - breaker.size() : 0;
        return window_.find(breaker, start) != std::string::npos;
    });
    if (window_.size() >= longest_) window_.erase(0, window_.size() - (longest_ - 1));
    return found;
}

bool BreakerFinder::contains(std::string_view text) const {
    return std::ranges::any_of(breakers_, [&](const std::string& breaker) {
        return text.find(breaker) != std::string_view::npos;
    });
}

}  // namespace ingle::sampling
