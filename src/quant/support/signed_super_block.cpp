#include "quant/support/signed_super_block.h"

#include "quant/search/search.h"

namespace ingle::quant {

SignedSuperBlock fit_signed_super_block(const EncodeBlock<256>& in, const SignedShape& shape) {
    return search_kernels().signed_scales(in.target(), shape);
}

}  // namespace ingle::quant
