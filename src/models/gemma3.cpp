// Gemma 3 (text): norms before and after each half of the block, normed query and key heads, GeGLU, and five
// sliding-window layers with their own rope for each global one. (Gemma Team 2025)
//
//   x += post_attention_norm(attn_output(attention(rope(attn_q_norm(q)), rope(attn_k_norm(k)), v))), from attn_norm(x)
//   x += post_ffw_norm(ffn_down(gelu(ffn_gate(f)) * ffn_up(f))),                                   f = ffn_norm(x)
//
// The embedding is multiplied by sqrt(width). Norm weights are stored with the 1 already added.
#include "models/support/architecture.h"
#include "models/support/decoder.h"

namespace ingle::models::entries {

namespace {

// The 27B model divides queries by sqrt(width / heads), all others by sqrt(head_dim); no key tells them apart.
constexpr int64_t layers_of_27b = 62;
constexpr float local_base_default = 10000;

struct Layer {
    struct Shared : DecoderScalars {
        Rope global_rope;
        Rope local_rope;
        int64_t window;
        int64_t pattern;  // every pattern-th layer is global
        float query_scale;

        Shared(Loader& w, const Dims& d)
            : global_rope(w, "rope", d.key_dim, false, scaled_frequencies(w, d.key_dim)),
              local_rope(w, "rope_swa", d.key_dim, false,
                         plain_frequencies(
                             w.real_or("rope.freq_base_swa", local_base_default, 1, 1e12f),
                             d.key_dim)),
              window(w.integer_or("attention.sliding_window", 0, 0, INT32_MAX)),
              pattern(w.integer_or("attention.sliding_window_pattern", 6, 1, 1 << 20)),
              query_scale(1 / std::sqrt(float(d.layers == layers_of_27b ? d.width / d.heads
                                                                         : d.key_dim))) {
            embedding_scale = std::sqrt(float(d.width));
            final_softcap = w.real_or("final_logit_softcapping", 0, 0, 1e6f);
        }
    };

    bool global;
    Norm attn_norm, attn_q_norm, attn_k_norm, post_attention_norm, ffn_norm, post_ffw_norm;
    Linear attn_q, attn_k, attn_v, attn_output, ffn_gate, ffn_up, ffn_down;
    SelfAttention attention;

    Layer(Loader& w, const std::string& blk, int i, const Dims& d, const Shared& shared)
        : global((i + 1) % shared.pattern == 0),
          attn_norm(w, blk + "attn_norm", d.width, d.eps),
          attn_q_norm(w, blk + "attn_q_norm", d.key_dim, d.eps),
          attn_k_norm(w, blk + "attn_k_norm", d.key_dim, d.eps),
          post_attention_norm(w, blk + "post_attention_norm", d.width, d.eps),
          ffn_norm(w, blk + "ffn_norm", d.width, d.eps),
          post_ffw_norm(w, blk + "post_ffw_norm", d.width, d.eps),
          attn_q(w, blk + "attn_q", d.width, d.heads * d.key_dim),
          attn_k(w, blk + "attn_k", d.width, d.kv_heads * d.key_dim),
          attn_v(w, blk + "attn_v", d.width, d.kv_heads * d.value_dim),
          attn_output(w, blk + "attn_output", d.heads * d.value_dim, d.width),
          ffn_gate(w, blk + "ffn_gate", d.width, d.ffn),
          ffn_up(w, blk + "ffn_up", d.width, d.ffn),
          ffn_down(w, blk + "ffn_down", d.ffn, d.width),
          attention(d, global ? 0 : shared.window) {
        attention.op.scale = shared.query_scale;
    }

    Tensor operator()(Tensor x, const Shared& shared) const {
        const Rope& rope = global ? shared.global_rope : shared.local_rope;
        const Tensor h = attn_norm(x);
        const Tensor q = rope(attn_q_norm(attn_q(h)));
        const Tensor k = rope(attn_k_norm(attn_k(h)));
        x = x + post_attention_norm(attn_output(attention(q, k, attn_v(h))));
        const Tensor f = ffn_norm(x);
        return x + post_ffw_norm(ffn_down(gelu_tanh(ffn_gate(f)) * ffn_up(f)));
    }
};

}  // namespace

extern const Architecture gemma3;
const Architecture gemma3{.names = {"gemma3"}, .build = build<Decoder<Layer>>};

}  // namespace ingle::models::entries
