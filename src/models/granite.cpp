// Granite: the Llama block with fixed factors on the embedding, the scores, both halves of the block and the logits; with
// experts in place of the feed-forward, and perhaps one beside them that sees every row. (IBM 2024)
//
//   x += residual_scale * attn_output(attention(rope(attn_q(h)), rope(attn_k(h)), attn_v(h))),   h = attn_norm(x)
//   x += residual_scale * ffn(f),                                                                f = ffn_norm(x)
//   ffn(f) = ffn_down(silu(ffn_gate(f)) * ffn_up(f)), or sum_e weight_e * ffn_e(f) (+ shexp(f)), whose weights add up to 1
#include <optional>

#include "models/support/architecture.h"
#include "models/support/decoder.h"
#include "models/support/experts.h"

namespace ingle::models::entries {

namespace {

constexpr float factor_max = 1e6f;

struct Layer {
    struct Shared : DecoderScalars {
        Rope rope;
        float attention_scale;
        float residual_scale;
        std::optional<ExpertDims> experts;
        int64_t shared_ffn;

        Shared(Loader& w, const Dims& d)
            : rope(w, "rope", d.key_dim, true, scaled_frequencies(w, d.key_dim)),
              attention_scale(factor(w, "attention.scale", 1 / std::sqrt(float(d.key_dim)))),
              residual_scale(factor(w, "residual_scale", 1)),
              shared_ffn(w.integer_or("expert_shared_feed_forward_length", 0, 0, 1 << 20)) {
            embedding_scale = factor(w, "embedding_scale", 1);
            logit_scale = 1 / factor(w, "logit_scale", 1);
            if (w.integer_or("expert_count", 0, 0, INT32_MAX) > 0)
                experts.emplace(w, d, ops::Route{.normalize = true});
        }

        // 0 stands for what is usual.
        static float factor(Loader& w, const char* key, float usual) {
            const float value = w.real_or(key, usual, 0, factor_max);
            return value > 0 ? value : usual;
        }
    };

    Norm attn_norm, ffn_norm;
    Linear attn_q, attn_k, attn_v, attn_output;
    std::optional<FeedForward> ffn, shexp;
    std::optional<RoutedExperts> experts;
    SelfAttention attention;

    Layer(Loader& w, const std::string& blk, int, const Dims& d, const Shared& shared)
        : attn_norm(w, blk + "attn_norm", d.width, d.eps),
          ffn_norm(w, blk + "ffn_norm", d.width, d.eps),
          attn_q(w, blk + "attn_q", d.width, d.heads * d.key_dim),
          attn_k(w, blk + "attn_k", d.width, d.kv_heads * d.key_dim),
          attn_v(w, blk + "attn_v", d.width, d.kv_heads * d.value_dim),
          attn_output(w, blk + "attn_output", d.heads * d.value_dim, d.width),
          attention(d) {
        attention.op.scale = shared.attention_scale;
        if (!shared.experts) ffn.emplace(w, blk, d.width, d.ffn);
        else experts.emplace(w, blk, d, *shared.experts);
        if (shared.experts && shared.shared_ffn > 0) shexp.emplace(w, blk, d.width, shared.shared_ffn, "_shexp");
    }

    Tensor operator()(Tensor x, const Shared& shared) const {
        const Tensor h = attn_norm(x);
        const Tensor a = attention(shared.rope(attn_q(h)), shared.rope(attn_k(h)), attn_v(h));
        x = x + shared.residual_scale * attn_output(a);
        const Tensor f = ffn_norm(x);
        Tensor y = experts ? (*experts)(f) : (*ffn)(f);
        if (shexp) y = y + (*shexp)(f);
        return x + shared.residual_scale * y;
    }
};

}  // namespace

extern const Architecture granite;
const Architecture granite{.names = {"granite", "granitemoe"}, .build = build<Decoder<Layer>>};

}  // namespace ingle::models::entries
