// The tables behind unicode.h, in the form that tools/make_unicode_tables.py writes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ingle::jinja::unicode_data {

// Pairs (count of code points, class), in order from U+0000; classes[class] is a set of flags.
extern const uint16_t classes[];
extern const uint16_t property_runs[];
extern const size_t property_run_count;

// first, first + stride, ... (count of them) map to themselves plus distance.
struct CaseRun {
    uint32_t first;
    uint16_t count;
    uint8_t stride;
    int32_t distance;
};
struct SpecialCase {
    uint32_t point;
    const char* text;
};
struct CaseTable {
    const CaseRun* runs;
    size_t run_count;
    const SpecialCase* special;
    size_t special_count;
};
extern const CaseTable upper, lower, title, fold;

}  // namespace ingle::jinja::unicode_data
