// The instruction sets that kernels exist for, and which of them this process uses.
//   baseline: any processor     avx2: AVX2, FMA, F16C     avx512: also AVX-512 F, BW, VL, DQ, VNNI
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace ingle::cpu {

enum class Isa { baseline, avx2, avx512 };

// "v1", "avx2", "avx512": also the values of the environment variable INGLE_ISA.
std::string_view to_string(Isa isa);
std::optional<Isa> parse_isa(std::string_view name);

// True if this build has kernels for it and this processor can run them.
bool supported(Isa isa);
// All that are supported, baseline first.
std::span<const Isa> supported_isas();

// The best one supported, or the one that INGLE_ISA names; warns once if that is unknown or not
// supported.
Isa best_isa();
// What best_isa() answers for a given value of INGLE_ISA (null: not set).
Isa choose_isa(const char* wanted);

}  // namespace ingle::cpu
