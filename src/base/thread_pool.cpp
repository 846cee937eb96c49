#include "base/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/cpu_info.h"
#include "base/platform_cpu.h"

namespace ingle {

namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t threads_max = 4096;  // a power of two
constexpr Clock::duration spin_at_half = std::chrono::microseconds(80);  // at --poll 50

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
    Word epoch;       // changed to start a run, or to stop: its number, then how many threads run it
    Word finished;    // raised when the last worker has finished its part
    Word unfinished;  // workers that have not finished yet
    Word arrived;     // threads that have reached the barrier
    Word generation;  // barriers passed
    const FunctionRef<void(int)>* body = nullptr;
    int threads = 1;  // of the present run
    bool stop = false;
    Clock::duration spin{};
    ThreadPlacement placement;
    int placed_threads = 1;  // among whom processors are shared out
    std::vector<std::thread> workers;

    // A thread that has no part in a run may sleep through it, and through the next.
    void work(int thread) {
        if (placement.changes_threads()) place_this_thread(placement, thread, placed_threads);
        for (uint32_t seen = 0;;) {
            wait_for_change(epoch.value, seen, spin);
            seen = epoch.value.load(std::memory_order_acquire);
            if (stop) return;
            if (thread >= int(seen % threads_max)) continue;
            (*body)(thread);
            if (unfinished.value.fetch_sub(1, std::memory_order_acq_rel) == 1) {
                finished.value.fetch_add(1, std::memory_order_release);
                finished.value.notify_all();
            }
        }
    }

    void change_epoch(int running) {
        const uint32_t number = epoch.value.load(std::memory_order_relaxed) / threads_max + 1;
        epoch.value.store(number * threads_max + uint32_t(running), std::memory_order_release);
        epoch.value.notify_all();
    }
};

ThreadPool::ThreadPool(int threads, ThreadPlacement placement) : state_(std::make_unique<State>()) {
    state_->placement = std::move(placement);
    state_->placed_threads = threads;
    // Where threads outnumber processors, a spinning thread keeps a working one from running.
    const CpuLimits limits = cpu_limits();
    const double processors = std::min(double(limits.affinity), limits.quota.value_or(1e9));
    if (double(threads) <= processors) state_->spin = spin_at_half * state_->placement.poll / 50;
    for (int thread = 1; thread < std::min(threads, int(threads_max) - 1); ++thread) {
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
    state_->change_epoch(size_);
    for (std::thread& worker : state_->workers) worker.join();
}

void ThreadPool::run(int threads, FunctionRef<void(int thread)> body) {
    // A caller is placed once, until it runs another pool.
    static thread_local const State* placed_for = nullptr;
    if (state_->placement.changes_threads() && placed_for != state_.get()) {
        place_this_thread(state_->placement, 0, state_->placed_threads);
        placed_for = state_.get();
    }
    state_->threads = threads;
    if (threads == 1) return body(0);
    const uint32_t finished = state_->finished.value.load(std::memory_order_relaxed);
    state_->body = &body;
    state_->unfinished.value.store(uint32_t(threads - 1), std::memory_order_relaxed);
    state_->change_epoch(threads);
    body(0);
    wait_for_change(state_->finished.value, finished, state_->spin);
}

void ThreadPool::barrier() {
    const uint32_t threads = uint32_t(state_->threads);
    if (threads == 1) return;
    const uint32_t generation = state_->generation.value.load(std::memory_order_relaxed);
    if (state_->arrived.value.fetch_add(1, std::memory_order_acq_rel) + 1 == threads) {
        state_->arrived.value.store(0, std::memory_order_relaxed);
        state_->generation.value.fetch_add(1, std::memory_order_release);
        state_->generation.value.notify_all();
        return;
    }
    wait_for_change(state_->generation.value, generation, state_->spin);
}

}  // namespace ingle
