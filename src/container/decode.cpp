#include "container/decode.h"

#include <cstring>

#include "gguf/tensor_type.h"
#include "quant/support/format.h"

namespace ingle::container {

namespace {

template <class T>
void decode_plain(const std::byte* bytes, int64_t count, float* out) {
    for (int64_t i = 0; i < count; ++i) {
        T value;
        std::memcpy(&value, bytes + size_t(i) * sizeof(T), sizeof(T));
        out[i] = float(value);
    }
}

}  // namespace

DecodeRow decoder_of(uint32_t type_id) {
    if (const quant::FormatInfo* const format = quant::find_format(type_id))
        return format->decode_row;
    switch (type_id) {
        case 24: return decode_plain<int8_t>;
        case 25: return decode_plain<int16_t>;
        case 26: return decode_plain<int32_t>;
        case 27: return decode_plain<int64_t>;
        case 28: return decode_plain<double>;
        default: return nullptr;
    }
}

std::string type_name(uint32_t type_id) {
    const gguf::TensorType* const type = gguf::find_tensor_type(type_id);
    return type == nullptr ? cat("type ", type_id) : std::string(type->name);
}

}  // namespace ingle::container
