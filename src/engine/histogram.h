// How long things took: counts by duration, since the beginning and over the last minutes.
//
// Bucket i holds durations up to bound(i) = 10 us * 1.2^i, so that a quantile is right to a fifth of itself.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "engine/request.h"

namespace ingle {

struct Quantiles {
    int64_t count = 0;
    double p50 = 0, p95 = 0, p99 = 0;  // seconds; 0 if nothing was counted
};

class Histogram {
  public:
    static constexpr size_t buckets = 112;
    // Seconds; the last bucket has no bound and holds everything longer.
    static double bound(size_t bucket);

    void record(double seconds, Clock::time_point now);
    // Over about the last `minutes`, at most 15.
    Quantiles over(int minutes, Clock::time_point now) const;

    // Since the beginning.
    std::span<const int64_t> counts() const { return counts_; }
    int64_t count() const { return count_; }
    double sum_seconds() const { return sum_; }

  private:
    static constexpr int64_t slice_seconds = 15;
    static constexpr size_t slices = 61;  // 15 minutes and the slice that is being filled
    using Counts = std::array<int64_t, buckets>;
    struct Slice {
        int64_t number = -1;
        std::array<uint32_t, buckets> counts = {};
    };
    static int64_t slice_number(Clock::time_point time);

    Counts counts_ = {};
    int64_t count_ = 0;
    double sum_ = 0;
    std::array<Slice, slices> recent_ = {};
};

}  // namespace ingle
