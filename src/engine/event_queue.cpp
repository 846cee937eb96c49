#include "engine/event_queue.h"

#include <new>

#include "engine/within_memory.h"

namespace ingle {

// A reader that is far behind and memory that is short: the answer is given up rather than told with a gap.
void EventQueue::append(StreamEvent& event) {
    if (lost_) return;
    try {
        events_.push_back(std::move(event));
    } catch (const std::bad_alloc&) {
        lost_ = true;
        cancel();
    }
}

void EventQueue::push(StreamEvent event) {
    std::shared_ptr<const std::function<void()>> wake;
    {
        const std::lock_guard lock(mutex_);
        if (next_ == events_.size()) {
            events_.clear();
            next_ = 0;
            wake = wake_;
        }
        append(event);
    }
    arrived_.notify_one();
    if (wake != nullptr) (*wake)();
}

bool EventQueue::take(StreamEvent& event) {
    if (next_ == events_.size() && lost_) {
        event = Done{out_of_memory()};
        lost_ = false;
        return true;
    }
    if (next_ == events_.size()) return false;
    event = std::move(events_[next_++]);
    if (next_ >= 16 && next_ * 2 >= events_.size()) {
        events_.erase(events_.begin(), events_.begin() + std::ptrdiff_t(next_));
        next_ = 0;
    }
    return true;
}

bool EventQueue::poll(StreamEvent& event) {
    const std::lock_guard lock(mutex_);
    return take(event);
}

bool EventQueue::wait(StreamEvent& event, Clock::time_point until) {
    std::unique_lock lock(mutex_);
    const auto there = [this] { return next_ < events_.size() || lost_; };
    // The latest time of all overflows in some implementations of wait_until.
    if (until == Clock::time_point::max()) arrived_.wait(lock, there);
    else if (!arrived_.wait_until(lock, until, there)) return false;
    return take(event);
}

void EventQueue::on_event(std::function<void()> wake) {
    std::shared_ptr<const std::function<void()>> now;
    {
        const std::lock_guard lock(mutex_);
        if (!wake) {
            wake_ = nullptr;
            return;
        }
        wake_ = std::make_shared<const std::function<void()>>(std::move(wake));
        if (next_ < events_.size()) now = wake_;
    }
    if (now != nullptr) (*now)();
}

namespace {

class Receiver final : public Stream {
  public:
    explicit Receiver(std::shared_ptr<EventQueue> queue) : queue_(std::move(queue)) {}
    ~Receiver() override {
        queue_->on_event(nullptr);
        queue_->cancel();
    }

    bool poll(StreamEvent& event) override { return queue_->poll(event); }
    bool wait(StreamEvent& event, Clock::time_point until) override {
        return queue_->wait(event, until);
    }
    void on_event(std::function<void()> wake) override { queue_->on_event(std::move(wake)); }
    void cancel() override { queue_->cancel(); }
    void end_reasoning() override { queue_->end_reasoning(); }

  private:
    std::shared_ptr<EventQueue> queue_;
};

}  // namespace

std::shared_ptr<Stream> make_stream(std::shared_ptr<EventQueue> queue) {
    return std::make_shared<Receiver>(std::move(queue));
}

}  // namespace ingle
