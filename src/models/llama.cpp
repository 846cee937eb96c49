// Llama: pre-norm attention with grouped heads and interleaved rope, then SwiGLU. (Touvron et al. 2023)
//
//   x += attn_output(attention(rope(attn_q(h)), rope(attn_k(h)), attn_v(h))),   h = attn_norm(x)
//   x += ffn_down(silu(ffn_gate(f)) * ffn_up(f)),                               f = ffn_norm(x)
//
// Llama 2 and 3, Mistral, SmolLM2 and all who share their shape. Members carry the tensors' GGUF names.
// Mixtral has experts in place of the feed-forward, chosen by a softmax over those chosen. (Jiang et al. 2024)
#include <optional>

#include "models/support/architecture.h"
#include "models/support/decoder.h"
#include "models/support/experts.h"

namespace ingle::models::entries {

namespace {

struct Layer {
    struct Shared : DecoderScalars {
        Rope rope;
        int64_t window;
        std::optional<ExpertDims> experts;

        Shared(Loader& w, const Dims& d)
            : rope(w, "rope", d.key_dim, true, scaled_frequencies(w, d.key_dim)),
              window(w.integer_or("attention.sliding_window", 0, 0, INT32_MAX)) {
            if (w.integer_or("expert_count", 0, 0, INT32_MAX) > 0)
                experts.emplace(w, d, ops::Route{.normalize = true});
        }
    };

    Norm attn_norm, ffn_norm;
    Linear attn_q, attn_k, attn_v, attn_output;
    std::optional<FeedForward> ffn;
    std::optional<RoutedExperts> experts;
    SelfAttention attention;

    Layer(Loader& w, const std::string& blk, int, const Dims& d, const Shared& shared)
        : attn_norm(w, blk + "attn_norm", d.width, d.eps),
          ffn_norm(w, blk + "ffn_norm", d.width, d.eps),
          attn_q(w, blk + "attn_q", d.width, d.heads * d.key_dim),
          attn_k(w, blk + "attn_k", d.width, d.kv_heads * d.key_dim),
          attn_v(w, blk + "attn_v", d.width, d.kv_heads * d.value_dim),
          attn_output(w, blk + "attn_output", d.heads * d.value_dim, d.width),
          attention(d, shared.window) {
        if (shared.experts) experts.emplace(w, blk, d, *shared.experts);
        else ffn.emplace(w, blk, d.width, d.ffn);
    }

    Tensor operator()(Tensor x, const Shared& shared) const {
        const Tensor h = attn_norm(x);
        x = x + attn_output(attention(shared.rope(attn_q(h)), shared.rope(attn_k(h)), attn_v(h)));
        const Tensor f = ffn_norm(x);
        return x + (experts ? (*experts)(f) : (*ffn)(f));
    }
};

}  // namespace

extern const Architecture llama;
const Architecture llama{.names = {"llama"}, .build = build<Decoder<Layer>>};

}  // namespace ingle::models::entries
