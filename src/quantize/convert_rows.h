// One tensor's rows from the old type to the new one, a batch of rows at a time on all threads.
#pragma once

#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "quant/support/format.h"
#include "quantize/plan.h"

namespace ingle::quantize {

class RowConverter {
  public:
    // `source`, `tensor` and `pool` must outlive the result.
    static Result<RowConverter> make(const gguf::File& source, const TensorPlan& tensor,
                                     ThreadPool& pool, int effort);

    bool done() const { return next_unit_ == units_; }
    uint64_t bytes_read() const { return uint64_t(next_unit_) * unit_bytes_in_; }

    // The next piece of the tensor in its new type, valid until the next call. Fails on a value
    // that is not finite, naming its row and column.
    Result<std::span<const std::byte>> next();

    double squared_error() const { return squared_error_; }
    double squared_value() const { return squared_value_; }

  private:
    // What a thread needs for itself.
    struct Worker {
        std::vector<std::byte> in;
        std::vector<float> values;
        std::vector<float> decoded;
        double squared_error = 0;
        double squared_value = 0;
        Status failure;
    };

    RowConverter(const gguf::File& source, const TensorPlan& tensor, ThreadPool& pool, int effort)
        : source_(&source), tensor_(&tensor), pool_(&pool), effort_(effort) {}

    Status convert(Worker& worker, uint64_t unit, std::span<std::byte> out) const;
    Status convert_row(Worker& worker, uint64_t row, std::span<const std::byte> in,
                       std::span<std::byte> out) const;
    Status check_finite(std::span<const float> values, uint64_t row) const;

    const gguf::File* source_;
    const TensorPlan* tensor_;
    ThreadPool* pool_;
    int effort_;
    const quant::FormatInfo* from_ = nullptr;  // null for a copy of bytes without a look at them
    const quant::FormatInfo* to_ = nullptr;
    std::vector<float> importance_;  // [experts][columns], or empty

    // A unit is a few rows: what one thread takes at once.
    uint64_t rows_ = 0;
    uint64_t columns_ = 0;
    uint64_t rows_per_unit_ = 0;
    uint64_t units_ = 0;
    uint64_t unit_bytes_in_ = 0;
    uint64_t row_bytes_in_ = 0;
    uint64_t row_bytes_out_ = 0;
    uint64_t next_unit_ = 0;
    std::vector<std::byte> out_;
    std::vector<Worker> workers_;
    double squared_error_ = 0;
    double squared_value_ = 0;
};

}  // namespace ingle::quantize
