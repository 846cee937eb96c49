// The vocabulary of graphs and programs: values (activations), and nodes that compute them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ops/all.h"
#include "tensor/batch.h"

namespace ingle {

using ValueId = int32_t;
using WeightId = int32_t;
inline constexpr int32_t none = -1;

// An activation: f32 [rows, columns], its rows known per call.
struct Value {
    Rows rows = Rows::tokens;
    int64_t columns = 0;
};

struct Node {
    ops::Op op;
    std::vector<ValueId> in;
    std::vector<WeightId> weights;  // `none` where an optional weight is absent
    std::vector<ValueId> out;
    Rows rows = Rows::tokens;  // the rows that are computed
    int layer = none;          // the block it belongs to; also names its KV layer
    int device = 0;            // set by placement
};

inline std::string_view op_name(const ops::Op& op) {
    return std::visit([](const auto& o) { return o.name; }, op);
}

// True if every element of the output depends on the elements at its place in the inputs alone, so that it may be written
// where one of them lay. An op says so of itself: `in_place`.
inline bool is_in_place(const ops::Op& op) {
    return std::visit(
        [](const auto& o) {
            if constexpr (requires { o.in_place; }) return o.in_place;
            else return false;
        },
        op);
}

}  // namespace ingle
