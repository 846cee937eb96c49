// Llama: pre-norm attention with grouped heads and interleaved rope, then SwiGLU. (Touvron et al. 2023)
//
//   x += attn_output(attention(rope(attn_q(h)), rope(attn_k(h)), attn_v(h))),   h = attn_norm(x)
//   x += ffn_down(silu(ffn_gate(f)) * ffn_up(f)),                               f = ffn_norm(x)
//
// Llama 2 and 3, Mistral, SmolLM2 and all who share their shape. Members carry the tensors' GGUF names.
#include "models/support/architecture.h"
#include "models/support/blocks.h"

namespace ingle::models::entries {

namespace {

struct Layer {
    Norm attn_norm, ffn_norm;
    Linear attn_q, attn_k, attn_v, attn_output, ffn_gate, ffn_up, ffn_down;
    SelfAttention attention;

    Layer(Loader& w, const std::string& blk, int, const Dims& d, int64_t window)
        : attn_norm(w, blk + "attn_norm", d.width, d.eps),
          ffn_norm(w, blk + "ffn_norm", d.width, d.eps),
          attn_q(w, blk + "attn_q", d.width, d.heads * d.key_dim),
          attn_k(w, blk + "attn_k", d.width, d.kv_heads * d.key_dim),
          attn_v(w, blk + "attn_v", d.width, d.kv_heads * d.value_dim),
          attn_output(w, blk + "attn_output", d.heads * d.value_dim, d.width),
          ffn_gate(w, blk + "ffn_gate", d.width, d.ffn),
          ffn_up(w, blk + "ffn_up", d.width, d.ffn),
          ffn_down(w, blk + "ffn_down", d.ffn, d.width),
          attention{{.heads = d.heads, .kv_heads = d.kv_heads, .key_dim = d.key_dim,
                     .value_dim = d.value_dim, .scale = 1 / std::sqrt(float(d.key_dim)),
                     .window = window}} {}

    Tensor operator()(Tensor x, const Rope& rope) const {
        const Tensor h = attn_norm(x);
        x = x + attn_output(attention(rope(attn_q(h)), rope(attn_k(h)), attn_v(h)));
        const Tensor f = ffn_norm(x);
        return x + ffn_down(silu(ffn_gate(f)) * ffn_up(f));
    }
};

class Llama {
  public:
    explicit Llama(Loader& w)
        : dims_(w),
          rope_(w, "rope", dims_.key_dim, true, scaled_frequencies(w, dims_.key_dim)),
          token_embd_(w, "token_embd", dims_.vocab, dims_.width),
          blk_(layers<Layer>(w, dims_, w.integer_or("attention.sliding_window", 0, 0, INT32_MAX))),
          output_norm_(w, "output_norm", dims_.width, dims_.eps),
          output_(output_or_tied(w, dims_)) {
        if (w.integer_or("expert_count", 0, 0, INT32_MAX) > 0)
            w.fault("mixture-of-experts Llama (expert_count > 0) is not supported");
    }

    Tensor forward(graph::Builder& builder) const {
        Tensor x = token_embd_(builder);
        for (size_t i = 0; i < blk_.size(); ++i) {
            builder.begin_layer(int(i));
            x = blk_[i](x, rope_);
        }
        builder.begin_layer(none);
        return output_(output_norm_(output_rows(x)));
    }

  private:
    Dims dims_;
    Rope rope_;
    Embedding token_embd_;
    std::vector<Layer> blk_;
    Norm output_norm_;
    Linear output_;
};

}  // namespace

extern const Architecture llama;
const Architecture llama{.names = {"llama"}, .build = build<Llama>};

}  // namespace ingle::models::entries
