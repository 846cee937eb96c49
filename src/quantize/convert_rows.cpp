#include "quantize/convert_rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gguf/tensor_type.h"

namespace ingle::quantize {

namespace {

constexpr uint64_t values_per_unit = 1 << 16;
constexpr uint64_t units_per_batch_and_thread = 8;

// term(0) + ... + term(count - 1) as eight partial sums, so that it vectorises.
template <class Term>
double sum_of(size_t count, Term term) {
    double lanes[8] = {};
    size_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (size_t j = 0; j < 8; ++j) lanes[j] += term(i + j);
    for (; i < count; ++i) lanes[i % 8] += term(i);
    return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) +
           ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

}  // namespace

Result<RowConverter> RowConverter::make(const gguf::File& source, const TensorPlan& tensor,
                                        ThreadPool& pool, int effort) {
    RowConverter converter(source, tensor, pool, effort);
    const gguf::TensorInfo& info = *tensor.source;
    converter.columns_ = info.dims[0];
    converter.rows_ = info.elements() / info.dims[0];
    converter.row_bytes_in_ = info.bytes / converter.rows_;
    converter.row_bytes_out_ = tensor.bytes / converter.rows_;
    converter.rows_per_unit_ =
        std::clamp<uint64_t>(values_per_unit / info.dims[0], 1, converter.rows_);
    converter.unit_bytes_in_ = converter.rows_per_unit_ * converter.row_bytes_in_;
    converter.units_ = (converter.rows_ + converter.rows_per_unit_ - 1) / converter.rows_per_unit_;
    converter.workers_.resize(size_t(pool.size()));
    const bool is_plain = gguf::find_tensor_type(info.type_id)->block_elements == 1;
    if (!tensor.is_copy() || is_plain) converter.from_ = quant::find_format(info.type_id);
    if (!tensor.is_copy()) converter.to_ = quant::find_format(tensor.type_id);
    if (tensor.importance != nullptr) {
        INGLE_ASSIGN(converter.importance_,
                     imatrix::means(*tensor.importance, info.dims[0], info.dims[2] * info.dims[3]));
    }
    return converter;
}

Result<std::span<const std::byte>> RowConverter::next() {
    const uint64_t batch = units_per_batch_and_thread * workers_.size();
    const uint64_t first = next_unit_, last = std::min(units_, first + batch);
    const uint64_t unit_bytes = rows_per_unit_ * row_bytes_out_;
    const uint64_t rows = std::min(rows_, last * rows_per_unit_) - first * rows_per_unit_;
    out_.resize(size_t(rows * row_bytes_out_));

    TaskCounter counter;
    pool_->run([&](int thread) {
        Worker& worker = workers_[size_t(thread)];
        for (;;) {
            const uint64_t unit = first + uint64_t(counter.claim());
            if (unit >= last || !worker.failure.ok()) break;
            const uint64_t begin = (unit - first) * unit_bytes;
            const uint64_t size = std::min<uint64_t>(unit_bytes, out_.size() - begin);
            worker.failure =
                convert(worker, unit, std::span(out_).subspan(size_t(begin), size_t(size)));
        }
    });
    squared_error_ = squared_value_ = 0;
    for (Worker& worker : workers_) {
        if (!worker.failure.ok()) return std::move(worker.failure);
        squared_error_ += worker.squared_error;
        squared_value_ += worker.squared_value;
    }
    next_unit_ = last;
    return std::span<const std::byte>(out_);
}

Status RowConverter::convert(Worker& worker, uint64_t unit, std::span<std::byte> out) const {
    const uint64_t first = unit * rows_per_unit_;
    const uint64_t rows = std::min(rows_per_unit_, rows_ - first);
    worker.in.resize(size_t(rows * row_bytes_in_));
    INGLE_TRY(source_->read(*tensor_->source, first * row_bytes_in_, worker.in));
    for (uint64_t row = 0; row < rows; ++row) {
        const std::span<const std::byte> in(worker.in);
        INGLE_TRY(convert_row(worker, first + row,
                              in.subspan(size_t(row * row_bytes_in_), size_t(row_bytes_in_)),
                              out.subspan(size_t(row * row_bytes_out_), size_t(row_bytes_out_))));
    }
    return {};
}

Status RowConverter::convert_row(Worker& worker, uint64_t row, std::span<const std::byte> in,
                                 std::span<std::byte> out) const {
    const auto columns = int64_t(columns_);
    if (from_ != nullptr) {
        worker.values.resize(size_t(columns_));
        from_->decode_row(in.data(), columns, worker.values.data());
        INGLE_TRY(check_finite(worker.values, row));
    }
    if (to_ == nullptr) {
        std::memcpy(out.data(), in.data(), in.size());
        return {};
    }
    quant::EncodeContext context;
    context.effort = effort_;
    if (!importance_.empty()) {
        const uint64_t expert = row / tensor_->source->dims[1];
        context.importance =
            std::span(importance_).subspan(size_t(expert * columns_), size_t(columns_));
    }
    to_->encode_row(worker.values.data(), columns, out.data(), context);

    worker.decoded.resize(size_t(columns_));
    to_->decode_row(out.data(), columns, worker.decoded.data());
    worker.squared_error += sum_of(columns_, [&](size_t i) {
        const double difference = double(worker.decoded[i]) - double(worker.values[i]);
        return difference * difference;
    });
    worker.squared_value += sum_of(columns_, [&](size_t i) {
        return double(worker.values[i]) * double(worker.values[i]);
    });
    return {};
}

Status RowConverter::check_finite(std::span<const float> values, uint64_t row) const {
    // x * 0 is 0 for every finite x, NaN for all others.
    const double sum =
        sum_of(values.size(), [&](size_t i) { return double(values[i] * 0.0f); });
    if (sum == 0) return {};
    const auto found =
        std::ranges::find_if(values, [](float value) { return !std::isfinite(value); });
    return fail(Code::corrupt, "expected finite numbers, found ", double(*found), " in row ", row,
                ", column ", found - values.begin());
}

}  // namespace ingle::quantize
