#include "engine/histogram.h"

#include <algorithm>
#include <cmath>

namespace ingle {

namespace {

constexpr double least_seconds = 1e-5;
constexpr double growth = 1.2;

// Where the given share of the counts is reached, linear within a bucket.
double quantile(std::span<const int64_t> counts, int64_t total, double share) {
    const double wanted = share * double(total);
    double before = 0;
    for (size_t i = 0; i < counts.size(); ++i) {
        const double here = double(counts[i]);
        if (here > 0 && before + here >= wanted) {
            const double low = i == 0 ? 0 : Histogram::bound(i - 1);
            return low + (Histogram::bound(i) - low) * (wanted - before) / here;
        }
        before += here;
    }
    return 0;
}

}  // namespace

double Histogram::bound(size_t bucket) { return least_seconds * std::pow(growth, double(bucket)); }

int64_t Histogram::slice_number(Clock::time_point time) {
    return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count() /
           slice_seconds;
}

void Histogram::record(double seconds, Clock::time_point now) {
    const double place = std::ceil(std::log(std::max(seconds, least_seconds) / least_seconds) /
                                   std::log(growth));
    const auto bucket = size_t(std::clamp(place, 0.0, double(buckets - 1)));
    ++counts_[bucket];
    ++count_;
    sum_ += seconds;
    const int64_t number = slice_number(now);
    Slice& slice = recent_[size_t(number) % slices];
    if (slice.number != number) slice = {.number = number, .counts = {}};
    ++slice.counts[bucket];
}

Quantiles Histogram::over(int minutes, Clock::time_point now) const {
    const int64_t last = slice_number(now);
    const int64_t first = last - minutes * 60 / slice_seconds;
    Counts counts = {};
    Quantiles result;
    for (const Slice& slice : recent_) {
        if (slice.number < first || slice.number > last) continue;
        for (size_t i = 0; i < buckets; ++i) {
            counts[i] += slice.counts[i];
            result.count += slice.counts[i];
        }
    }
    result.p50 = quantile(counts, result.count, 0.50);
    result.p95 = quantile(counts, result.count, 0.95);
    result.p99 = quantile(counts, result.count, 0.99);
    return result;
}

}  // namespace ingle
