// Arithmetic on counts and sizes that come from files: the result, or nothing when it does not fit.
#pragma once

#include <cstdint>
#include <optional>

namespace ingle {

inline std::optional<uint64_t> checked_add(uint64_t a, uint64_t b) {
    if (a > UINT64_MAX - b) return std::nullopt;
    return a + b;
}

inline std::optional<uint64_t> checked_mul(uint64_t a, uint64_t b) {
    if (a != 0 && b > UINT64_MAX / a) return std::nullopt;
    return a * b;
}

// The smallest multiple of `alignment` (a power of two) that is not below `value`.
inline std::optional<uint64_t> checked_align(uint64_t value, uint64_t alignment) {
    const auto raised = checked_add(value, alignment - 1);
    if (!raised) return std::nullopt;
    return *raised & ~(alignment - 1);
}

}  // namespace ingle
