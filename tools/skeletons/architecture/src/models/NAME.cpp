// @Name@: (paper, year). The Llama block; write the equations of what differs.
//
//   x += attn_output(attention(rope(attn_q(h)), rope(attn_k(h)), attn_v(h))),   h = attn_norm(x)
//   x += ffn_down(silu(ffn_gate(f)) * ffn_up(f)),                               f = ffn_norm(x)
#include "models/support/architecture.h"
#include "models/support/decoder.h"

namespace ingle::models::entries {

namespace {

struct Layer {
    struct Shared : DecoderScalars {
        Rope rope;

        Shared(Loader& w, const Dims& d)
            : rope(w, "rope", d.key_dim, true, scaled_frequencies(w, d.key_dim)) {}
    };

    Norm attn_norm, ffn_norm;
    Linear attn_q, attn_k, attn_v, attn_output, ffn_gate, ffn_up, ffn_down;
    SelfAttention attention;

    Layer(Loader& w, const std::string& blk, int, const Dims& d, const Shared&)
        : attn_norm(w, blk + "attn_norm", d.width, d.eps),
          ffn_norm(w, blk + "ffn_norm", d.width, d.eps),
          attn_q(w, blk + "attn_q", d.width, d.heads * d.key_dim),
          attn_k(w, blk + "attn_k", d.width, d.kv_heads * d.key_dim),
          attn_v(w, blk + "attn_v", d.width, d.kv_heads * d.value_dim),
          attn_output(w, blk + "attn_output", d.heads * d.value_dim, d.width),
          ffn_gate(w, blk + "ffn_gate", d.width, d.ffn),
          ffn_up(w, blk + "ffn_up", d.width, d.ffn),
          ffn_down(w, blk + "ffn_down", d.ffn, d.width),
          attention(d) {}

    Tensor operator()(Tensor x, const Shared& shared) const {
        const Tensor h = attn_norm(x);
        x = x + attn_output(attention(shared.rope(attn_q(h)), shared.rope(attn_k(h)), attn_v(h)));
        const Tensor f = ffn_norm(x);
        return x + ffn_down(silu(ffn_gate(f)) * ffn_up(f));
    }
};

}  // namespace

extern const Architecture @name@;
const Architecture @name@{.names = {"@name@"}, .build = build<Decoder<Layer>>};

}  // namespace ingle::models::entries
