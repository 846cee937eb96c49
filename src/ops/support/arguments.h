// What an op's reference is handed: views of its operands in host memory, and the call's batch.
#pragma once

#include <span>

#include "tensor/batch.h"
#include "tensor/kv_view.h"
#include "tensor/matrix.h"
#include "tensor/weight.h"

namespace ingle::ops {

struct Arguments {
    std::span<const ConstMatrix> in;
    std::span<const Matrix> out;
    std::span<const WeightSource* const> weights;  // null where an optional one is absent
    const Batch* batch = nullptr;
    Rows rows = Rows::tokens;    // domain of the rows this op works on
    const KvView* kv = nullptr;  // ops that touch the cache: their layer

    // The cache as row r sees it: that of its sequence.
    KvView kv_of(int64_t r) const {
        KvView view = *kv;
        view.table = batch->sequence(rows, r).pages.data();
        return view;
    }
};

// A range of rows; references work on any part, so that threads can share one.
struct RowRange {
    int64_t begin;
    int64_t end;
};

}  // namespace ingle::ops
