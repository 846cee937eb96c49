#include "container/codes.h"

#include <array>

#include "gguf/tensor_type.h"

namespace ingle::container {

namespace {

// Four unsigned E4M3 scales come first: bit 7 is unused, 0x7f is no number.
bool nvfp4(const std::byte* block) {
    for (size_t i = 0; i < 4; ++i)
        if (uint8_t(block[i]) >= 0x7f) return true;
    return false;
}

// 64 bytes of four 2-bit codes 0, 1, 2.
bool tq2_0(const std::byte* block) {
    for (size_t i = 0; i < 64; ++i) {
        const unsigned byte = unsigned(block[i]);
        if ((byte & byte >> 1 & 0x55) != 0) return true;
    }
    return false;
}

// Bytes that hold trits: ceil(v * 256 / 243), v below 243; where only four trits are held, v is a multiple of 3.
constexpr std::array<bool, 256> trit_bytes(unsigned step) {
    std::array<bool, 256> valid = {};
    for (unsigned v = 0; v < 243; v += step) valid[(v * 256 + 242) / 243] = true;
    return valid;
}

// 48 bytes of five trits, then 4 bytes of four.
bool tq1_0(const std::byte* block) {
    static constexpr auto five = trit_bytes(1), four = trit_bytes(3);
    for (size_t i = 0; i < 52; ++i)
        if (!(i < 48 ? five : four)[size_t(block[i])]) return true;
    return false;
}

}  // namespace

BadCodes bad_codes_of(uint32_t type_id) {
    if (type_id == gguf::find_tensor_type("NVFP4")->id) return nvfp4;
    if (type_id == gguf::find_tensor_type("TQ1_0")->id) return tq1_0;
    if (type_id == gguf::find_tensor_type("TQ2_0")->id) return tq2_0;
    return nullptr;
}

}  // namespace ingle::container
