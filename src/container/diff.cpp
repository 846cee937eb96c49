#include "container/diff.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "container/decode.h"
#include "gguf/tensor_type.h"

namespace ingle::container {

namespace {

std::string shape_text(const gguf::TensorInfo& tensor) {
    std::string text = type_name(tensor.type_id) + " [";
    for (size_t i = 0; i < tensor.rank; ++i) text += cat(i == 0 ? "" : ", ", tensor.dims[i]);
    return text + "]";
}

// Lists of one length are described alike.
std::string other_text(const gguf::Value& value, const gguf::Value& other) {
    const std::string text = gguf::describe(other);
    return text == gguf::describe(value) ? text + " (with other content)" : text;
}

void compare_keys(const gguf::Metadata& left, const gguf::Metadata& right, FileDifference& out) {
    for (const auto& [key, value] : left.entries()) {
        const gguf::Value* const other = right.find(key);
        if (other == nullptr) out.keys.push_back({key, gguf::describe(value), ""});
        else if (!(value == *other))
            out.keys.push_back({key, gguf::describe(value), other_text(value, *other)});
    }
    for (const auto& [key, value] : right.entries())
        if (!left.contains(key)) out.keys.push_back({key, "", gguf::describe(value)});
}

// Rows [first, first + count) as f32.
struct Rows {
    const gguf::File& file;
    const gguf::TensorInfo& tensor;
    DecodeRow decode;
    uint64_t row_bytes;
    std::vector<std::byte> bytes = {};
    std::vector<float> values = {};

    Rows(const gguf::File& f, const gguf::TensorInfo& t)
        : file(f), tensor(t), decode(decoder_of(t.type_id)),
          row_bytes(t.elements() == 0 ? 0 : t.bytes / (t.elements() / t.dims[0])) {}

    Status read(uint64_t first, uint64_t count) {
        bytes.resize(size_t(count * row_bytes));
        values.resize(size_t(count * tensor.dims[0]));
        INGLE_TRY(file.read(tensor, first * row_bytes, bytes));
        decode(bytes.data(), int64_t(values.size()), values.data());
        return {};
    }
};

Result<double> relative_error(const gguf::File& left, const gguf::TensorInfo& a, const gguf::File& right,
                              const gguf::TensorInfo& b) {
    Rows one(left, a), other(right, b);
    if (one.decode == nullptr || other.decode == nullptr) return -1.0;
    const uint64_t rows = a.elements() / a.dims[0];
    const uint64_t step = std::max<uint64_t>((1 << 20) / a.dims[0], 1);
    double error = 0, total = 0;
    for (uint64_t first = 0; first < rows; first += step) {
        const uint64_t count = std::min(step, rows - first);
        INGLE_TRY(one.read(first, count));
        INGLE_TRY(other.read(first, count));
        for (size_t i = 0; i < one.values.size(); ++i) {
            const double difference = double(other.values[i]) - double(one.values[i]);
            error += difference * difference;
            total += double(one.values[i]) * double(one.values[i]);
        }
    }
    return total > 0 ? std::sqrt(error / total) : error > 0 ? double(INFINITY) : 0.0;
}

Result<bool> same_bytes(const gguf::File& left, const gguf::TensorInfo& a, const gguf::File& right,
                        const gguf::TensorInfo& b) {
    uint64_t offset = 0;
    bool same = true;
    std::vector<std::byte> other;
    const Status status = for_each_piece(left, a, [&](std::span<const std::byte> bytes) -> Status {
        if (!same) return {};
        other.resize(bytes.size());
        INGLE_TRY(right.read(b, offset, other));
        same = std::memcmp(bytes.data(), other.data(), bytes.size()) == 0;
        offset += bytes.size();
        return {};
    });
    if (!status.ok()) return status;
    return same;
}

Status compare_tensor(const gguf::File& left, const gguf::TensorInfo& a, const gguf::File& right,
                      FileDifference& out) {
    const gguf::TensorInfo* const b = right.find_tensor(a.name);
    TensorDifference difference{.name = a.name, .left = shape_text(a), .right = {}};
    if (b == nullptr) {
        out.tensors.push_back(std::move(difference));
        return {};
    }
    difference.right = shape_text(*b);
    if (difference.left == difference.right) {
        INGLE_ASSIGN(const bool same, same_bytes(left, a, right, *b));
        if (same) {
            ++out.same_tensors;
            return {};
        }
        difference.data = true;
    }
    if (a.dims == b->dims && a.elements() > 0) {
        INGLE_ASSIGN(difference.relative_error, relative_error(left, a, right, *b));
    }
    out.tensors.push_back(std::move(difference));
    return {};
}

}  // namespace

Result<FileDifference> compare(const gguf::File& left, const gguf::File& right,
                               const Progress& progress) {
    FileDifference out;
    compare_keys(left.metadata(), right.metadata(), out);
    uint64_t done = 0;
    for (const gguf::TensorInfo& tensor : left.tensors()) {
        INGLE_TRY(compare_tensor(left, tensor, right, out));
        INGLE_TRY(progress(++done, left.tensors().size()));
    }
    for (const gguf::TensorInfo& tensor : right.tensors())
        if (left.find_tensor(tensor.name) == nullptr)
            out.tensors.push_back({.name = tensor.name, .left = {}, .right = shape_text(tensor)});
    return out;
}

}  // namespace ingle::container
