#include "quant/support/signed_super_block.h"

#include "quant/search/search.h"

namespace ingle::quant {

SignedSuperBlock fit_signed_super_block(std::span<const float, 256> values,
                                        std::span<const float, 256> weights,
                                        const SignedShape& shape) {
    return search_kernels().signed_scales(values.data(), weights.data(), shape);
}

}  // namespace ingle::quant
