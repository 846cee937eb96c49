// The searches for one instruction set: what all share, then lines, then scales.

using quant::AffineShape;
using quant::AffineSuperBlock;
using quant::GridEntry;
using quant::GridGroup;
using quant::GridResult;
using quant::GridTables;
using quant::GridTrials;
using quant::Levels;
using quant::LineBlock;
using quant::ScaledBlock;
using quant::SignedShape;
using quant::SignedSuperBlock;
using quant::Target;

constexpr int trials = lanes;
constexpr int options = 3;  // a sub-block's level rounded to nearest, and both neighbours

INGLE_INLINE Floats rounded(Floats x) {
    const Floats magic = broadcast(0x1.8p23f);  // adding it rounds to a whole number
    return sub(add(x, magic), magic);
}
INGLE_INLINE Floats clamped(Floats x, float low, float high) {
    return min(broadcast(high), max(broadcast(low), x));
}
// 1 / x, or 0 where x is too small to divide by.
INGLE_INLINE Floats inverse(Floats x) {
    return select_less(mul(x, x), broadcast(0x1p-120f), zero(), div(broadcast(1), x));
}
// Each lane to the nearest finite half, as quant::to_finite_f16 does it.
INGLE_INLINE Floats to_halves(Floats x) {
    const Floats largest = broadcast(65504), lowest = broadcast(-65504);
    const Floats raised = select_less(lowest, x, x, lowest);
    f16 halves[lanes];
    store(halves, select_less(raised, largest, raised, largest));
    return load(halves);
}

// The lowest, or the sum, of `count` numbers, which are changed. Sizes that the compiler knows make
// this quicker than highest() and sum() of float_math.h; the order is theirs.
template <int count>
INGLE_INLINE float lowest_of(float* v) {
    if constexpr (count == 1) {
        return v[0];
    } else {
        for (int i = 0; i < count / 2; ++i)
            v[i] = v[i] < v[i + count / 2] ? v[i] : v[i + count / 2];
        return lowest_of<count / 2>(v);
    }
}

template <int count>
INGLE_INLINE float sum_of(float* v) {
    if constexpr (count == 1) {
        return v[0];
    } else {
        for (int i = 0; i < count / 2; ++i) v[i] += v[i + count / 2];
        return sum_of<count / 2>(v);
    }
}

// The first of the lowest.
INGLE_INLINE int lowest_lane(const float* values) {
    float copy[lanes];
    store(copy, load(values));
    const float lowest = lowest_of<lanes>(copy);
    for (int j = 0; j < lanes; ++j)
        if (values[j] == lowest) return j;
    return 0;  // NaN
}
// Number `step` of a sequence that fills 0 to 1 evenly however far it is followed: 0.5 first.
INGLE_INLINE float spread(int step, float ratio) {
    const float x = 0.5f + ratio * float(step);
    return x - float(int(x));
}
INGLE_INLINE float lane(Floats x, int j) {
    float values[lanes];
    store(values, x);
    return values[j];
}

#include "quant/search/lines_text.h"
//
#include "quant/search/affine_text.h"
#include "quant/search/grid_text.h"
#include "quant/search/scales_text.h"
#include "quant/search/signed_text.h"

constexpr quant::SearchKernels table = {scaled_block,       improved_block,     line_block,
                                        affine_super_block, signed_super_block, grid_rows};
