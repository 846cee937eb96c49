#include "engine/stop_text.h"

#include <algorithm>
#include <utility>

namespace ingle {

StopText::StopText(std::vector<std::string> stops) : stops_(std::move(stops)) {
    std::erase(stops_, "");
}

std::string StopText::push(std::string_view text) {
    if (stopped()) return "";
    held_ += text;
    // The earliest match wins; of several that begin there, the longest.
    size_t match = std::string::npos;
    for (const std::string& stop : stops_) {
        const size_t at = held_.find(stop);
        if (at == std::string::npos || at > match) continue;
        if (at < match || stop.size() > matched_.size()) matched_ = stop;
        match = at;
    }
    size_t keep = match;  // bytes that may be shown
    if (match == std::string::npos) {
        size_t tail = 0;
        for (const std::string& stop : stops_)
            for (size_t n = std::min(stop.size() - 1, held_.size()); n > tail; --n)
                if (held_.compare(held_.size() - n, n, stop, 0, n) == 0) tail = n;
        keep = held_.size() - tail;
    }
    std::string shown = held_.substr(0, keep);
    held_.erase(0, keep);
    if (stopped()) held_.clear();
    return shown;
}

std::string StopText::flush() { return std::exchange(held_, ""); }

}  // namespace ingle
