#include "quant/support/small_block.h"

#include "quant/search/search.h"

namespace ingle::quant {

ScaledBlock fit_scaled_block(const EncodeBlock<32>& in, const Levels& levels) {
    return search_kernels().scaled(in.target(), levels);
}

ScaledBlock improve_scaled_block(const EncodeBlock<32>& in, const Levels& levels, f16 known) {
    return search_kernels().improved(in.target(), levels, known);
}

LineBlock fit_line_block(const EncodeBlock<32>& in, int code_max) {
    return search_kernels().line(in.target(), code_max);
}

}  // namespace ingle::quant
