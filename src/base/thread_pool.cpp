#include "base/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <vector>

#include "base/cpu_info.h"
#include "base/platform_cpu.h"

namespace ingle {

namespace {

using Clock = std::chrono::steady_clock;

// Waits until `word` differs from `old`: spins for at most `spin`, then sleeps in the kernel.
void wait_for_change(const std::atomic<uint32_t>& word, uint32_t old, Clock::duration spin) {
    if (spin > Clock::duration::zero()) {
        const auto deadline = Clock::now() + spin;
        do {
            for (int i = 0; i < 32; ++i) {
                if (word.load(std::memory_order_acquire) != old) return;
                platform::relax();
            }
        } while (Clock::now() < deadline);
    }
    while (word.load(std::memory_order_acquire) == old) word.wait(old, std::memory_order_acquire);
}

}  // namespace

struct ThreadPool::State {
    struct alignas(cache_line_pair) Word {
        std::atomic<uint32_t> value{0};
    };
    Word epoch;       // raised to start a run, or to stop
    Word finished;    // raised when the last worker has finished its part
    Word unfinished;  // workers that have not finished yet
    Word arrived;     // threads that have reached the barrier
    Word generation;  // barriers passed
    const FunctionRef<void(int)>* body = nullptr;
    bool stop = false;
    Clock::duration spin{};
    std::vector<std::thread> workers;

    void work(int thread) {
        for (uint32_t seen = 0;; ++seen) {
            wait_for_change(epoch.value, seen, spin);
            if (stop) return;
            (*body)(thread);
            if (unfinished.value.fetch_sub(1, std::memory_order_acq_rel) == 1) {
                finished.value.fetch_add(1, std::memory_order_release);
                finished.value.notify_all();
            }
        }
    }

    void raise_epoch() {
        epoch.value.fetch_add(1, std::memory_order_release);
        epoch.value.notify_all();
    }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
    // Where threads outnumber processors, a spinning thread keeps a working one from running.
    const CpuLimits limits = cpu_limits();
    const double processors = std::min(double(limits.affinity), limits.quota.value_or(1e9));
    if (double(threads) <= processors) state_->spin = std::chrono::microseconds(80);
    for (int thread = 1; thread < threads; ++thread) {
        try {
            state_->workers.emplace_back([state = state_.get(), thread] { state->work(thread); });
        } catch (const std::system_error&) {
            break;  // the system allows no more threads: go on with those there are
        }
        ++size_;
    }
}

ThreadPool::~ThreadPool() {
    state_->stop = true;
    state_->raise_epoch();
    for (std::thread& worker : state_->workers) worker.join();
}

void ThreadPool::run(FunctionRef<void(int thread)> body) {
    if (size_ == 1) return body(0);
    const uint32_t finished = state_->finished.value.load(std::memory_order_relaxed);
    state_->body = &body;
    state_->unfinished.value.store(uint32_t(size_ - 1), std::memory_order_relaxed);
    state_->raise_epoch();
    body(0);
    wait_for_change(state_->finished.value, finished, state_->spin);
}

void ThreadPool::barrier(int /*thread*/) {
    if (size_ == 1) return;
    const uint32_t generation = state_->generation.value.load(std::memory_order_relaxed);
    if (state_->arrived.value.fetch_add(1, std::memory_order_acq_rel) + 1 == uint32_t(size_)) {
        state_->arrived.value.store(0, std::memory_order_relaxed);
        state_->generation.value.fetch_add(1, std::memory_order_release);
        state_->generation.value.notify_all();
        return;
    }
    wait_for_change(state_->generation.value, generation, state_->spin);
}

}  // namespace ingle
