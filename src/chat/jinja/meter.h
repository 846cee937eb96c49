// Counts what a rendering spends: steps (which stand for time), memory alive and output bytes.
#pragma once

#include <utility>

#include "base/status.h"
#include "chat/jinja/limits.h"

namespace ingle::jinja {

class Meter {
  public:
    explicit Meter(const Limits& limits) : limits_(limits), steps_left_(limits.steps_max) {}
    Meter(const Meter&) = delete;

    const Limits& limits() const { return limits_; }

    bool spend(uint64_t steps) {
        if (steps > steps_left_) {
            steps_left_ = 0;
            return false;
        }
        steps_left_ -= steps;
        return true;
    }
    Status out_of_steps() const {
        return fail(Code::limit, "the template takes more than ", limits_.steps_max, " steps");
    }
    // For work on `bytes` bytes of text or `items` values.
    Status touch(uint64_t bytes, uint64_t items = 0) {
        return spend(1 + bytes / 64 + items / 4) ? Status() : out_of_steps();
    }

    uint64_t room() const {
        return alive_ < limits_.memory_bytes_max ? limits_.memory_bytes_max - alive_ : 0;
    }
    Status out_of_memory() const {
        return fail(Code::limit, "the template's values need more than ",
                    human_bytes(limits_.memory_bytes_max));
    }

  private:
    friend class Charge;
    Limits limits_;
    uint64_t steps_left_;
    uint64_t alive_ = 0;
};

// Bytes that a value occupies, counted while it lives. Values never outlive the rendering's meter.
class Charge {
  public:
    Charge() = default;
    Charge(Meter& meter, uint64_t bytes) : meter_(&meter), bytes_(bytes) { meter.alive_ += bytes; }
    Charge(Charge&& other) noexcept
        : meter_(std::exchange(other.meter_, nullptr)), bytes_(other.bytes_) {}
    Charge& operator=(Charge&& other) noexcept {
        std::swap(meter_, other.meter_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~Charge() {
        if (meter_) meter_->alive_ -= bytes_;
    }

  private:
    Meter* meter_ = nullptr;
    uint64_t bytes_ = 0;
};

}  // namespace ingle::jinja
