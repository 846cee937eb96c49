// Qwen3 MoE: the Qwen3 block with experts in place of the feed-forward; their weights add up to one. (Qwen Team 2025)
//
//   x += attn_output(attention(rope(attn_q_norm(attn_q(h))), rope(attn_k_norm(attn_k(h))), attn_v(h))), h = attn_norm(x)
//   x += sum_e weight_e * ffn_down_e(silu(ffn_gate_e(f)) * ffn_up_e(f)), e in top(softmax(ffn_gate_inp(f))), f = ffn_norm(x)
#include "models/support/architecture.h"
#include "models/support/decoder.h"
#include "models/support/experts.h"

namespace ingle::models::entries {

namespace {

struct Layer {
    struct Shared : DecoderScalars {
        Rope rope;
        ExpertDims experts;

        Shared(Loader& w, const Dims& d)
            : rope(w, "rope", d.key_dim, false, scaled_frequencies(w, d.key_dim)),
              experts(w, d, ops::Route{.normalize = true}) {}
    };

    Norm attn_norm, attn_q_norm, attn_k_norm, ffn_norm;
    Linear attn_q, attn_k, attn_v, attn_output;
    RoutedExperts experts;
    SelfAttention attention;

    Layer(Loader& w, const std::string& blk, int, const Dims& d, const Shared& shared)
        : attn_norm(w, blk + "attn_norm", d.width, d.eps),
          attn_q_norm(w, blk + "attn_q_norm", d.key_dim, d.eps),
          attn_k_norm(w, blk + "attn_k_norm", d.key_dim, d.eps),
          ffn_norm(w, blk + "ffn_norm", d.width, d.eps),
          attn_q(w, blk + "attn_q", d.width, d.heads * d.key_dim),
          attn_k(w, blk + "attn_k", d.width, d.kv_heads * d.key_dim),
          attn_v(w, blk + "attn_v", d.width, d.kv_heads * d.value_dim),
          attn_output(w, blk + "attn_output", d.heads * d.value_dim, d.width),
          experts(w, blk, d, shared.experts),
          attention(d) {}

    Tensor operator()(Tensor x, const Shared& shared) const {
        const Tensor h = attn_norm(x);
        const Tensor q = shared.rope(attn_q_norm(attn_q(h)));
        const Tensor k = shared.rope(attn_k_norm(attn_k(h)));
        x = x + attn_output(attention(q, k, attn_v(h)));
        return x + experts(ffn_norm(x));
    }
};

}  // namespace

extern const Architecture qwen3moe;
const Architecture qwen3moe{.names = {"qwen3moe"}, .build = build<Decoder<Layer>>};

}  // namespace ingle::models::entries
