// The rows of a call in groups, one for each expert they were routed to. A row that goes to `used` experts has as many
// slots; the slots of an expert lie side by side, its rows in ascending order.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ops/experts.h"

namespace ingle::cpu {

// A view; the memory is the caller's.
struct ExpertGroups {
    int32_t* first = nullptr;    // [experts + 1]: an expert's slots are [first[e], first[e + 1])
    int32_t* row_of = nullptr;   // [rows * used]: by slot
    int32_t* slot_of = nullptr;  // [rows * used]: of the row's k-th expert

    int64_t count(int64_t expert) const { return first[expert + 1] - first[expert]; }
};

// `chosen` is [rows, 2 * used] as ops/route.h gives it.
inline void group_rows_by_expert(const ops::Experts& op, const float* chosen, int64_t rows,
                                 const ExpertGroups& groups) {
    const auto expert_at = [&](int64_t i) {
        return op.expert_of(chosen[i / op.used * 2 * op.used + i % op.used]);
    };
    std::fill_n(groups.first, op.experts + 1, 0);
    for (int64_t i = 0; i < rows * op.used; ++i) ++groups.first[expert_at(i) + 1];
    for (int64_t e = 0; e < op.experts; ++e) groups.first[e + 1] += groups.first[e];
    // Each `first` moves to the end of its group, which is where the next begins; then all move back by one.
    for (int64_t i = 0; i < rows * op.used; ++i) {
        const int32_t slot = groups.first[expert_at(i)]++;
        groups.row_of[slot] = int32_t(i / op.used);
        groups.slot_of[i] = slot;
    }
    std::copy_backward(groups.first, groups.first + op.experts, groups.first + op.experts + 1);
    groups.first[0] = 0;
}

}  // namespace ingle::cpu
