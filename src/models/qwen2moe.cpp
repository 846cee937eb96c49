// Qwen2 MoE: the Qwen2 block with experts in place of the feed-forward, and beside them one that sees every row, behind a
// gate of its own. (Qwen Team 2024)
//
//   x += attn_output(attention(rope(attn_q(h)), rope(attn_k(h)), attn_v(h))),   h = attn_norm(x)
//   x += sum_e weight_e * ffn_down_e(silu(ffn_gate_e(f)) * ffn_up_e(f)) + sigmoid(ffn_gate_inp_shexp(f)) * shexp(f),
//        e in top(softmax(ffn_gate_inp(f))),                                    f = ffn_norm(x)
#include "models/support/architecture.h"
#include "models/support/decoder.h"
#include "models/support/experts.h"

namespace ingle::models::entries {

namespace {

struct Layer {
    struct Shared : DecoderScalars {
        Rope rope;
        ExpertDims experts;
        int64_t shared_ffn;

        Shared(Loader& w, const Dims& d)
            : rope(w, "rope", d.key_dim, false, scaled_frequencies(w, d.key_dim)),
              experts(w, d, {}),
              shared_ffn(w.integer_or("expert_shared_feed_forward_length", d.ffn, 1, 1 << 20)) {}
    };

    Norm attn_norm, ffn_norm;
    Linear attn_q, attn_k, attn_v, attn_output;
    RoutedExperts experts;
    FeedForward shexp;
    Linear ffn_gate_inp_shexp;
    SelfAttention attention;

    Layer(Loader& w, const std::string& blk, int, const Dims& d, const Shared& shared)
        : attn_norm(w, blk + "attn_norm", d.width, d.eps),
          ffn_norm(w, blk + "ffn_norm", d.width, d.eps),
          attn_q(w, blk + "attn_q", d.width, d.heads * d.key_dim),
          attn_k(w, blk + "attn_k", d.width, d.kv_heads * d.key_dim),
          attn_v(w, blk + "attn_v", d.width, d.kv_heads * d.value_dim),
          attn_output(w, blk + "attn_output", d.heads * d.value_dim, d.width),
          experts(w, blk, d, shared.experts),
          shexp(w, blk, d.width, shared.shared_ffn, "_shexp"),
          ffn_gate_inp_shexp(w, blk + "ffn_gate_inp_shexp", d.width, 1),
          attention(d) {}

    Tensor operator()(Tensor x, const Shared& shared) const {
        const Tensor h = attn_norm(x);
        x = x + attn_output(attention(shared.rope(attn_q(h)), shared.rope(attn_k(h)), attn_v(h)));
        const Tensor f = ffn_norm(x);
        return x + experts(f) + gate_rows(shexp(f), ffn_gate_inp_shexp(f));
    }
};

}  // namespace

extern const Architecture qwen2moe;
const Architecture qwen2moe{.names = {"qwen2moe"}, .build = build<Decoder<Layer>>};

}  // namespace ingle::models::entries
