// A fixed gang of threads that runs one function on all of them. Waiting threads spin for some tens
// of microseconds, then sleep, so that a token step starts at once and an idle process costs
// nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/function_ref.h"
#include "base/thread_placement.h"

namespace ingle {

// 64 on almost everything; two lines, because processors fetch lines in pairs.
inline constexpr int cache_line_pair = 128;

// Hands out the numbers 0, 1, 2, ... once each, to whoever asks first.
class alignas(cache_line_pair) TaskCounter {
  public:
    int64_t claim() { return next_.fetch_add(1, std::memory_order_relaxed); }
    // Only while nobody claims, with a barrier or the end of run() in between.
    void reset() { next_.store(0, std::memory_order_relaxed); }

  private:
    std::atomic<int64_t> next_{0};
};

// Deals the tasks of one phase to the threads of a run: each takes its own share in order, as neighbouring tasks
// read neighbouring memory, then what is left of the others' shares.
class TaskShares {
  public:
    explicit TaskShares(int threads_max)
        : taken_(std::make_unique<TaskCounter[]>(size_t(threads_max))) {}

    // Every thread of the run resets its own part while nobody deals, with a barrier in between.
    void reset(int thread) { taken_[size_t(thread)].reset(); }

    // Calls work(task) for tasks of [0, count), each once over all of the run's `threads`.
    template <class Work>
    void deal(int thread, int threads, int64_t count, Work&& work) {
        for (int i = 0; i < threads; ++i) {
            const int owner = thread + i < threads ? thread + i : thread + i - threads;
            const int64_t first = count * owner / threads, last = count * (owner + 1) / threads;
            for (int64_t at; (at = first + taken_[size_t(owner)].claim()) < last;) work(at);
        }
    }

  private:
    std::unique_ptr<TaskCounter[]> taken_;  // of each thread's share
};

class ThreadPool {
  public:
    // The caller of run() is thread 0, so `threads - 1` are started; fewer if the system refuses
    // (see size()). Whoever calls run() is placed too, if the placement says anything of threads.
    explicit ThreadPool(int threads, ThreadPlacement placement = {});
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int size() const { return size_; }

    // Calls body(thread) once on every thread, 0 <= thread < size(), and returns when all are done.
    // What the caller wrote before is seen by all; what they wrote is seen by the caller. Not from
    // two threads at once, not nested.
    void run(FunctionRef<void(int thread)> body) { run(size_, body); }
    // The same on the first `threads` threads only, 1 <= threads <= size().
    void run(int threads, FunctionRef<void(int thread)> body);

    // Inside run(): waits until every thread of this run has come here. All of them must call it
    // equally often.
    void barrier();

  private:
    struct State;
    std::unique_ptr<State> state_;
    int size_ = 1;
};

}  // namespace ingle
