// The numbers that the GGUF container format fixes, and the limits a reader holds a file to.
//
//   "GGUF"  u32 version  u64 tensors  u64 keys | keys: string, u32 type, value
//   tensor infos: string name, u32 rank, u64 dims[rank], u32 type, u64 offset
//   padding, then the data of each tensor with its padding
//
// All little-endian; a string is a u64 length and its bytes. Versions 2 and 3 have this layout.
#pragma once

#include <cstdint>
#include <string_view>

namespace ingle::gguf {

inline constexpr std::string_view magic = "GGUF";
inline constexpr uint32_t version_written = 3;
inline constexpr uint32_t version_read_min = 2;  // version 1 had 32-bit counts and lengths
inline constexpr uint32_t alignment_default = 32;

inline constexpr std::string_view alignment_key = "general.alignment";
inline constexpr std::string_view split_number_key = "split.no";  // from 0
inline constexpr std::string_view split_count_key = "split.count";
inline constexpr std::string_view split_tensors_key = "split.tensors.count";

inline constexpr uint32_t rank_max = 4;
inline constexpr uint64_t tensor_name_bytes_max = 63;
inline constexpr uint64_t key_bytes_max = 65535;
inline constexpr uint64_t string_bytes_max = 1ull << 30;
inline constexpr uint64_t array_length_max = 1ull << 30;
inline constexpr int array_depth_max = 4;  // an array of numbers has depth 1

}  // namespace ingle::gguf
