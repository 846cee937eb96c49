#include "gguf/tensor_type.h"

#include "base/checked.h"
#include "gguf/format.h"

namespace ingle::gguf {

namespace {

// A fork numbers its own types there, and its interleaved forms from 200 on.
constexpr bool is_private_to_ik(uint32_t id) {
    return (id >= 97 && id <= 99) || (id >= 133 && id <= 158) || (id >= 200 && id < 400);
}

}  // namespace

Result<uint64_t> tensor_bytes(uint32_t type_id, std::span<const uint64_t> dims) {
    const TensorType* const type = find_tensor_type(type_id);
    if (type == nullptr && is_private_to_ik(type_id))
        return fail(Code::unsupported, "type id ", type_id,
                    " is private to ik_llama.cpp (IQ2_K to IQ6_K, IQ1_KT to IQ4_KT, _R4, _R8 and "
                    "the like); quantize the model again to a type that every GGUF reader knows");
    if (type == nullptr)
        return fail(Code::unsupported, "unknown type id ", type_id, ", expected 0 to ",
                    std::size(tensor_types) - 1);
    if (!type->removed.empty())
        return fail(Code::unsupported, "type ", type->name, " (id ", type_id,
                    ") exists no more: ", type->removed);
    if (dims.size() > rank_max)
        return fail(Code::corrupt, "expected at most ", rank_max, " dimensions, found ",
                    dims.size());
    uint64_t elements = 1;
    for (size_t i = 0; i < dims.size(); ++i) {
        if (dims[i] == 0)
            return fail(Code::corrupt, "dimension ", i, ": expected at least 1, found 0");
        const auto product = checked_mul(elements, dims[i]);
        if (!product || *product > uint64_t(INT64_MAX))
            return fail(Code::corrupt, "the product of the dimensions up to number ", i, " (",
                        dims[i], ") passes 2^63 elements");
        elements = *product;
    }
    const uint64_t row = dims.empty() ? 1 : dims[0];
    if (row % type->block_elements != 0)
        return fail(Code::corrupt, "expected rows of a multiple of ", type->block_elements,
                    " elements for ", type->name, ", found ", row);
    const auto bytes = checked_mul(elements / type->block_elements, type->block_bytes);
    if (!bytes || *bytes > uint64_t(INT64_MAX))
        return fail(Code::corrupt, elements, " elements of ", type->name, " pass 2^63 bytes");
    return *bytes;
}

}  // namespace ingle::gguf
