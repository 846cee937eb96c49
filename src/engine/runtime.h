// What a process has once: the thread pool and the devices on it. Models share it and alternate by step.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "backend/cpu/device.h"
#include "base/thread_pool.h"

namespace ingle {

struct RuntimeOptions {
    int threads = 0;         // that generate; 0: as many as the machine grants (see cpu_info.h)
    int threads_batch = 0;   // that compute prompts; 0: as many as generate
    bool reference = false;  // plain kernels, f32 activations: slow and exact
    bool precise = false;    // about 16-bit instead of 8-bit activations
    ThreadPlacement placement = {};
    cpu::StorageOptions storage = {};  // where matrices are kept
    std::shared_ptr<backend::Device> device = {};  // to use instead of the processor
};

class Runtime {
  public:
    static std::shared_ptr<Runtime> make(const RuntimeOptions& options);

    backend::Device& cpu() { return cpu_; }
    // What models run on: the processor, or the device that was given instead.
    backend::Device& device() { return device_ != nullptr ? *device_ : cpu_; }
    int threads() const { return threads_; }
    cpu::Isa isa() const { return isa_; }
    const ThreadPlacement& placement() const { return placement_; }
    // Where the number of threads comes from, for people.
    const std::string& threads_reason() const { return threads_reason_; }
    // Held for the length of a step.
    std::mutex& step_mutex() { return step_mutex_; }

    // `options` with its numbers of threads settled.
    Runtime(const RuntimeOptions& options, std::string reason);

  private:
    cpu::Isa isa_;
    int threads_;
    std::string threads_reason_;
    ThreadPlacement placement_;
    ThreadPool pool_;
    cpu::CpuDevice cpu_;
    std::shared_ptr<backend::Device> device_;
    std::mutex step_mutex_;
};

}  // namespace ingle
