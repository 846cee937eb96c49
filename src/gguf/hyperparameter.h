// Numbers that shape a model, read from metadata with the range they must lie in. A failure reads
//   missing or impossible hyper-parameter 'llama.block_count': expected 1 to 1024, found u32 0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "gguf/metadata.h"

namespace ingle::gguf {

Result<uint32_t> require_u32(const Metadata& metadata, std::string_view key, uint32_t min,
                             uint32_t max);
// `fallback` (not range-checked) if the key is missing.
Result<uint32_t> optional_u32(const Metadata& metadata, std::string_view key, uint32_t fallback,
                              uint32_t min, uint32_t max);

// Finite numbers in [min, max].
Result<float> require_f32(const Metadata& metadata, std::string_view key, float min, float max);
Result<float> optional_f32(const Metadata& metadata, std::string_view key, float fallback,
                           float min, float max);

// One value for all layers, or an array with one per layer: always `layers` values.
Result<std::vector<uint32_t>> require_u32_per_layer(const Metadata& metadata, std::string_view key,
                                                    uint32_t layers, uint32_t min, uint32_t max);
Result<std::vector<uint32_t>> optional_u32_per_layer(const Metadata& metadata, std::string_view key,
                                                     uint32_t layers, uint32_t fallback,
                                                     uint32_t min, uint32_t max);

// The failure above with a `found` of the caller's own, for conditions between several keys.
Status impossible(std::string_view key, std::string_view expected, std::string_view found);

}  // namespace ingle::gguf
