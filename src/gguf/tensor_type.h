// The tensor types that a GGUF file may name: id, name, and how many bytes hold a block of
// elements. A row (the first dimension) is a whole number of blocks. Which of them this build can
// compute with is the business of quant/.
#pragma once

#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

#include "base/status.h"

namespace ingle::gguf {

struct TensorType {
    uint32_t id;
    std::string_view name;
    uint32_t block_elements;
    uint32_t block_bytes;
    std::string_view removed = {};  // why no file may use it any more (its sizes are 0); else empty
};

inline constexpr TensorType tensor_types[] = {
    {0, "F32", 1, 4},
    {1, "F16", 1, 2},
    {2, "Q4_0", 32, 18},
    {3, "Q4_1", 32, 20},
    {4, "Q4_2", 0, 0, "dropped in 2023; convert the model again from its source"},
    {5, "Q4_3", 0, 0, "dropped in 2023; convert the model again from its source"},
    {6, "Q5_0", 32, 22},
    {7, "Q5_1", 32, 24},
    {8, "Q8_0", 32, 34},
    {9, "Q8_1", 32, 36},
    {10, "Q2_K", 256, 84},
    {11, "Q3_K", 256, 110},
    {12, "Q4_K", 256, 144},
    {13, "Q5_K", 256, 176},
    {14, "Q6_K", 256, 210},
    {15, "Q8_K", 256, 292},
    {16, "IQ2_XXS", 256, 66},
    {17, "IQ2_XS", 256, 74},
    {18, "IQ3_XXS", 256, 98},
    {19, "IQ1_S", 256, 50},
    {20, "IQ4_NL", 32, 18},
    {21, "IQ3_S", 256, 110},
    {22, "IQ2_S", 256, 82},
    {23, "IQ4_XS", 256, 136},
    {24, "I8", 1, 1},
    {25, "I16", 1, 2},
    {26, "I32", 1, 4},
    {27, "I64", 1, 8},
    {28, "F64", 1, 8},
    {29, "IQ1_M", 256, 56},
    {30, "BF16", 1, 2},
    {31, "Q4_0_4_4", 0, 0, "interleaving is done while loading; use a Q4_0 file"},
    {32, "Q4_0_4_8", 0, 0, "interleaving is done while loading; use a Q4_0 file"},
    {33, "Q4_0_8_8", 0, 0, "interleaving is done while loading; use a Q4_0 file"},
    {34, "TQ1_0", 256, 54},
    {35, "TQ2_0", 256, 66},
    {36, "IQ4_NL_4_4", 0, 0,
     "interleaving is done while loading; use an IQ4_NL file (BitNet forks call this id I2_S: "
     "convert to TQ2_0)"},
    {37, "IQ4_NL_4_8", 0, 0, "interleaving is done while loading; use an IQ4_NL file"},
    {38, "IQ4_NL_8_8", 0, 0, "interleaving is done while loading; use an IQ4_NL file"},
    {39, "MXFP4", 32, 17},
    {40, "NVFP4", 64, 36},
    {41, "Q1_0", 128, 18},
    {42, "Q2_0", 64, 18},
};

// The living or removed type with this id or exact name; null if there is none.
constexpr const TensorType* find_tensor_type(uint32_t id) {
    return id < std::size(tensor_types) ? &tensor_types[id] : nullptr;
}
constexpr const TensorType* find_tensor_type(std::string_view name) {
    for (const TensorType& type : tensor_types)
        if (type.name == name) return &type;
    return nullptr;
}

// Bytes of a tensor with these dimensions (fastest first; none means one element). Fails, naming
// the fault, if the type is unknown or removed, a dimension is 0, a row is no whole number of
// blocks, there are more than `rank_max` dimensions, or the count of elements or bytes passes 2^63.
Result<uint64_t> tensor_bytes(uint32_t type_id, std::span<const uint64_t> dims);

namespace detail {
constexpr bool ids_are_positions() {
    uint32_t position = 0;
    for (const TensorType& type : tensor_types)
        if (type.id != position++) return false;
    return true;
}
}  // namespace detail
static_assert(detail::ids_are_positions(), "find_tensor_type(id) indexes the table");

}  // namespace ingle::gguf
