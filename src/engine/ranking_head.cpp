#include "engine/ranking_head.h"

#include <algorithm>
#include <cmath>

#include "quant/support/format.h"

namespace ingle {

namespace {

constexpr int64_t labels_max = 1024;

Result<std::vector<float>> values_of(const gguf::File& file, const gguf::TensorInfo& tensor) {
    const quant::FormatInfo* const format = quant::find_format(tensor.type_id);
    if (format == nullptr)
        return fail(Code::unsupported, "tensor ", quoted(tensor.name), ": type ", tensor.type_id, " is not known");
    std::vector<float> values(size_t(tensor.elements()));
    std::vector<std::byte> bytes(size_t(tensor.bytes));
    INGLE_TRY(file.read(tensor, 0, bytes));
    format->decode_row(bytes.data(), int64_t(values.size()), values.data());
    return values;
}

}  // namespace

Result<std::optional<RankingHead>> RankingHead::read(const gguf::File& file, int64_t columns) {
    const gguf::TensorInfo* const weight = file.find_tensor("cls.output.weight");
    if (weight == nullptr) return std::optional<RankingHead>();
    const auto labels = int64_t(weight->dims[1]);
    if (weight->rank < 1 || weight->rank > 2 || int64_t(weight->dims[0]) != columns || labels < 1 ||
        labels > labels_max)
        return fail(Code::corrupt, "tensor 'cls.output.weight': expected [", columns, ", 1 to ", labels_max,
                    "], found [", weight->dims[0], ", ", weight->dims[1], "]");
    RankingHead head;
    head.labels_ = labels;
    INGLE_ASSIGN(head.rows_, values_of(file, *weight));
    head.bias_.resize(size_t(labels));
    if (const gguf::TensorInfo* const bias = file.find_tensor("cls.output.bias")) {
        if (int64_t(bias->elements()) != labels)
            return fail(Code::corrupt, "tensor 'cls.output.bias': expected ", labels, " values, found ",
                        bias->elements());
        INGLE_ASSIGN(head.bias_, values_of(file, *bias));
    }
    return std::optional<RankingHead>(std::move(head));
}

float RankingHead::score(std::span<const float> state) const {
    std::vector<double> values(bias_.begin(), bias_.end());
    for (size_t label = 0; label < values.size(); ++label)
        for (size_t i = 0; i < state.size(); ++i)
            values[label] += double(state[i]) * double(rows_[label * state.size() + i]);
    if (values.size() == 1) return float(values[0]);
    const double largest = *std::ranges::max_element(values);
    double sum = 0;
    for (const double value : values) sum += std::exp(value - largest);
    return float(std::exp(values[0] - largest) / sum);
}

}  // namespace ingle
