// GLM-4.5: the Llama block with biases on Q, K and V, norms over every query and key head where the file has them, rope
// over part of a head, and after the first blocks experts, which a sigmoid chooses with a bias. (GLM Team 2025)
//
//   x += attn_output(attention(rope(attn_q_norm(attn_q(h))), rope(attn_k_norm(attn_k(h))), attn_v(h))), h = attn_norm(x)
//   x += ffn(f),                                                                               f = post_attention_norm(x)
//   ffn(f) = ffn_down(silu(ffn_gate(f)) * ffn_up(f)), or sum_e weight_e * ffn_e(f) + shexp(f)
#include <optional>

#include "models/support/architecture.h"
#include "models/support/decoder.h"
#include "models/support/experts.h"

namespace ingle::models::entries {

namespace {

struct Layer {
    struct Shared : DecoderScalars {
        Rope rope;
        ExpertDims experts;
        int64_t dense_layers;
        int64_t shared_experts;

        Shared(Loader& w, const Dims& d)
            : rope(w, "rope", d.key_dim, false, scaled_frequencies(w, d.key_dim)),
              experts(w, d, ops::Route{.gating = ops::Gating::sigmoid, .normalize = true}),
              dense_layers(w.integer_or("leading_dense_block_count", 0, 0, d.layers)),
              shared_experts(w.integer_or("expert_shared_count", 0, 0, 64)) {}
    };

    Norm attn_norm, post_attention_norm;
    std::optional<Norm> attn_q_norm, attn_k_norm;
    Linear attn_q, attn_k, attn_v, attn_output;
    std::optional<FeedForward> ffn, shexp;
    std::optional<RoutedExperts> experts;
    SelfAttention attention;

    Layer(Loader& w, const std::string& blk, int i, const Dims& d, const Shared& shared)
        : attn_norm(w, blk + "attn_norm", d.width, d.eps),
          post_attention_norm(w, blk + "post_attention_norm", d.width, d.eps),
          attn_q(w, blk + "attn_q", d.width, d.heads * d.key_dim),
          attn_k(w, blk + "attn_k", d.width, d.kv_heads * d.key_dim),
          attn_v(w, blk + "attn_v", d.width, d.kv_heads * d.value_dim),
          attn_output(w, blk + "attn_output", d.heads * d.value_dim, d.width),
          attention(d) {
        if (w.has_tensor(blk + "attn_q_norm.weight")) {
            attn_q_norm.emplace(w, blk + "attn_q_norm", d.key_dim, d.eps);
            attn_k_norm.emplace(w, blk + "attn_k_norm", d.key_dim, d.eps);
        }
        if (i < shared.dense_layers) {
            ffn.emplace(w, blk, d.width, d.ffn);
            return;
        }
        experts.emplace(w, blk, d, shared.experts);
        if (shared.shared_experts > 0)
            shexp.emplace(w, blk, d.width, shared.experts.ffn * shared.shared_experts, "_shexp");
    }

    Tensor operator()(Tensor x, const Shared& shared) const {
        const Tensor h = attn_norm(x);
        Tensor q = attn_q(h), k = attn_k(h);
        if (attn_q_norm) {
            q = (*attn_q_norm)(q);
            k = (*attn_k_norm)(k);
        }
        x = x + attn_output(attention(shared.rope(q), shared.rope(k), attn_v(h)));
        const Tensor f = post_attention_norm(x);
        if (ffn) return x + (*ffn)(f);
        x = x + (*experts)(f);
        return shexp ? x + (*shexp)(f) : x;
    }
};

}  // namespace

extern const Architecture glm4moe;
const Architecture glm4moe{.names = {"glm4moe"}, .build = build<Decoder<Layer>>};

}  // namespace ingle::models::entries
