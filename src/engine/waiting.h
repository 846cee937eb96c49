// Answers that wait for a slot. Higher priorities go first; then those that were sent back, as they hold up someone who
// is reading; then clients take turns, by the tokens each has had; then the order of arrival.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/lane.h"

namespace ingle {

class WaitingQueue {
  public:
    // At most so many requests and tokens of their prompts; tokens_max 0: no bound.
    WaitingQueue(int64_t requests_max, int64_t tokens_max)
        : requests_max_(requests_max), tokens_max_(tokens_max) {
        lanes_.reserve(size_t(requests_max));
    }

    // Fails if `tokens` more of one more request are too many.
    Status check(int64_t tokens) const;
    void add(std::unique_ptr<Lane> lane);

    bool empty() const { return lanes_.empty(); }
    int64_t size() const { return int64_t(lanes_.size()); }
    // The one that goes next, until the queue changes; not of an empty queue.
    const Lane& best() const { return *lanes_[best_index()]; }
    std::unique_ptr<Lane> take_best() { return take(best_index()); }
    // Takes the first of those that `gone` says yes to; null if none is left.
    template <class Gone>
    std::unique_ptr<Lane> take_first(Gone&& gone) {
        for (size_t i = 0; i < lanes_.size(); ++i)
            if (gone(*lanes_[i])) return take(i);
        return nullptr;
    }
    template <class Is>
    bool any(Is&& is) const {
        return std::ranges::any_of(lanes_, [&](const auto& lane) { return is(*lane); });
    }
    std::vector<const Lane*> in_order() const;
    // Counts what came and what was taken.
    uint64_t changes() const { return changes_; }

    // What a client has had of the engine.
    void charge(const std::string& client, int64_t tokens) { charged_[client] += tokens; }
    // A client of whom nothing waits and nothing runs any more counts as new when it comes back.
    void forget(const std::string& client) { charged_.erase(client); }

  private:
    bool goes_before(const Lane& a, const Lane& b) const;
    size_t best_index() const;
    std::unique_ptr<Lane> take(size_t index);
    int64_t charged(const Lane& lane) const;

    int64_t requests_max_;
    int64_t tokens_max_;
    int64_t tokens_ = 0;
    uint64_t changes_ = 0;
    std::vector<std::unique_ptr<Lane>> lanes_;
    std::unordered_map<std::string, int64_t> charged_;  // of clients that wait or run
};

}  // namespace ingle
