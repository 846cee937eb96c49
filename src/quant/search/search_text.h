// The searches for one instruction set: what all share, then lines, then scales.

using quant::AffineShape;
using quant::AffineSuperBlock;
using quant::GridEntry;
using quant::GridGroup;
using quant::GridResult;
using quant::GridTables;
using quant::GridTrials;
using quant::Levels;
using quant::Line;
using quant::SignedShape;
using quant::SignedSuperBlock;

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
// Each lane to the nearest finite half.
INGLE_INLINE Floats to_halves(Floats x) {
    float values[lanes];
    store(values, x);
    for (int j = 0; j < lanes; ++j) values[j] = to_f32(quant::to_finite_f16(values[j]));
    return load(values);
}

INGLE_INLINE int lowest_lane(const float* values) {
    int lowest = 0;
    for (int j = 1; j < lanes; ++j)
        if (values[j] < values[lowest]) lowest = j;
    return lowest;
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

constexpr quant::SearchKernels table = {best_scale, best_line, affine_super_block,
                                        signed_super_block, grid_rows};
