// What part of a model a tensor is, read off its name, as far as recipes ask for it.
#pragma once

#include <cstdint>
#include <string_view>

namespace ingle::quantize {

enum class Role : uint8_t {
    output,      // the matrix that makes logits
    embedding,   // the matrix that tokens are looked up in
    attn_value,  // values; also of the fused QKV and of MLA's second KV matrix
    attn_key,
    attn_query,
    attn_output,
    ffn_down,  // of any kind of expert, too
    ffn_gate,
    ffn_up,
    other,
};

Role role_of(std::string_view name);

// N of "blk.N.", or -1.
int layer_of(std::string_view name);

// False for what is never quantized: norms, routers, biases, one-dimensional and other small
// tensors.
bool is_quantizable(std::string_view name, uint32_t rank);

}  // namespace ingle::quantize
