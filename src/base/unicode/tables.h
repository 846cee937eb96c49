// The generated tables behind unicode.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ingle::unicode {

// Maps first + i * step to target + i * target_step for i < count.
struct MappingRun {
    uint32_t first;
    uint16_t count;
    uint8_t step;
    uint32_t target;
    uint8_t target_step;
};
struct Sequence {
    uint32_t point;
    uint32_t targets[3];  // ended by 0
};

// A class: bits 0-4 the general category in the order of unicode.h, bit 5 White_Space, bit 6 Han.
extern const uint32_t class_runs[];
extern const size_t class_runs_count;
extern const MappingRun lower_runs[];
extern const size_t lower_runs_count;
extern const MappingRun unaccented_runs[];
extern const size_t unaccented_runs_count;
extern const Sequence unaccented_sequences[];
extern const size_t unaccented_sequences_count;

}  // namespace ingle::unicode
