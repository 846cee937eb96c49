// The events of one request on their way from the engine to whoever asked. The engine appends and never waits.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/request.h"

namespace ingle {

class EventQueue {
  public:
    EventQueue() { events_.reserve(events_usual); }

    // The engine's side.
    void push(StreamEvent event);
    bool reasoning_ended() const { return reasoning_ended_.load(std::memory_order_relaxed); }
    bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

    // The receiver's side: see Stream.
    bool poll(StreamEvent& event);
    bool wait(StreamEvent& event, Clock::time_point until);
    void on_event(std::function<void()> wake);
    void end_reasoning() { reasoning_ended_.store(true, std::memory_order_relaxed); }
    void cancel() { cancelled_.store(true, std::memory_order_relaxed); }

  private:
    void append(StreamEvent& event);

    // More than a reader who keeps up leaves lying: then nothing is allocated for a token.
    static constexpr size_t events_usual = 64;

    bool take(StreamEvent& event);

    std::mutex mutex_;
    std::condition_variable arrived_;
    std::vector<StreamEvent> events_;
    size_t next_ = 0;    // of events_: the first that was not taken
    bool lost_ = false;  // an event, for lack of memory: the end comes after those that are there
    std::shared_ptr<const std::function<void()>> wake_;
    std::atomic<bool> cancelled_ = false;
    std::atomic<bool> reasoning_ended_ = false;
};

// A stream over the queue that cancels when it is dropped.
std::shared_ptr<Stream> make_stream(std::shared_ptr<EventQueue> queue);

}  // namespace ingle
