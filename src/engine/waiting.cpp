#include "engine/waiting.h"

#include <algorithm>
#include <tuple>

namespace ingle {

Status WaitingQueue::check(int64_t tokens) const {
    if (int64_t(lanes_.size()) >= requests_max_)
        return fail(Code::limit, "the queue is full: ", lanes_.size(), " requests are waiting");
    if (tokens_max_ > 0 && tokens_ + tokens > tokens_max_)
        return fail(Code::limit, "the queue is full: ", tokens_, " tokens are waiting, of at most ",
                    tokens_max_, "; the request has ", tokens);
    return {};
}

void WaitingQueue::add(std::unique_ptr<Lane> lane) {
    const std::string& client = lane->job->info.client;
    if (!charged_.contains(client)) {
        // Who is new starts even with who had least.
        int64_t least = charged_.empty() ? 0 : INT64_MAX;
        for (const auto& [name, tokens] : charged_) least = std::min(least, tokens);
        // Where memory is short it goes uncounted.
        (void)within_memory([&] {
            charged_.emplace(client, least);
            return Status();
        }).ok();
    }
    tokens_ += int64_t(lane->tokens.size());
    ++changes_;
    lanes_.push_back(std::move(lane));
}

int64_t WaitingQueue::charged(const Lane& lane) const {
    const auto known = charged_.find(lane.job->info.client);
    return known == charged_.end() ? 0 : known->second;
}

bool WaitingQueue::goes_before(const Lane& a, const Lane& b) const {
    return std::tuple(-a.job->info.priority, !a.begun, charged(a), a.arrival) <
           std::tuple(-b.job->info.priority, !b.begun, charged(b), b.arrival);
}

std::vector<const Lane*> WaitingQueue::in_order() const {
    std::vector<const Lane*> order;
    for (const std::unique_ptr<Lane>& lane : lanes_) order.push_back(lane.get());
    std::ranges::sort(order, [this](const Lane* a, const Lane* b) { return goes_before(*a, *b); });
    return order;
}

size_t WaitingQueue::best_index() const {
    size_t best = 0;
    for (size_t i = 1; i < lanes_.size(); ++i)
        if (goes_before(*lanes_[i], *lanes_[best])) best = i;
    return best;
}

std::unique_ptr<Lane> WaitingQueue::take(size_t index) {
    std::unique_ptr<Lane> lane = std::move(lanes_[index]);
    lanes_.erase(lanes_.begin() + std::ptrdiff_t(index));
    ++changes_;
    tokens_ -= int64_t(lane->tokens.size());
    return lane;
}

}  // namespace ingle
