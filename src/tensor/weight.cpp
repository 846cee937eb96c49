#include "tensor/weight.h"

#include <cstring>
#include <vector>

namespace ingle {

void WeightSource::decode_row(int64_t r, float* out) const {
    format->decode_row(row(r), columns, out);
    if (factor == 1) return;
    for (int64_t k = 0; k < columns; ++k) out[k] *= factor;
}

Status WeightSource::read_rows(int64_t first, int64_t count, std::byte* out) const {
    const size_t size = size_t(count) * row_bytes();
    if (file != nullptr)
        return file->read(file_offset + uint64_t(first) * row_bytes(), {out, size});
    std::memcpy(out, row(first), size);
    return {};
}

WeightSource constant_weight(std::string name, std::span<const float> values, int64_t rows) {
    WeightSource weight;
    weight.name = std::move(name);
    weight.format = quant::find_format("F32");
    weight.rows = rows;
    weight.columns = int64_t(values.size()) / rows;
    const auto copy = std::make_shared<std::vector<float>>(values.begin(), values.end());
    weight.memory = std::as_bytes(std::span(*copy));
    weight.keeper = copy;
    return weight;
}

}  // namespace ingle
