#include "quant/search/search.h"

#define INGLE_KERNEL_NAMESPACE block_search
#define INGLE_KERNEL_TEXT "quant/search/search_text.h"
#define INGLE_KERNEL_TABLE quant::SearchKernels
#include "base/simd/instantiate.h"

namespace ingle::quant {

const SearchKernels& search_kernels(cpu::Isa isa) {
    return cpu::block_search::table_for(isa);
}

const SearchKernels& search_kernels() {
    static const SearchKernels& kernels = search_kernels(cpu::best_isa());
    return kernels;
}

}  // namespace ingle::quant
