// The frame of a decoder-only model: embedding, blocks, final norm, output matrix.
//
// A model file gives the block: Layer(loader, "blk.i.", i, dims, shared) and Tensor operator()(Tensor x, shared).
// Layer::Shared is what all blocks use, e.g. the rope; it derives from DecoderScalars.
#pragma once

#include "models/support/blocks.h"

namespace ingle::models {

struct DecoderScalars {
    float embedding_scale = 1;
    float final_softcap = 0;  // 0: none
    float logit_scale = 1;    // logits are multiplied by it
};

template <class Layer>
class Decoder {
  public:
    explicit Decoder(Loader& w)
        : dims_(w),
          shared_(w, dims_),
          token_embd_(w, "token_embd", dims_.vocab, dims_.width),
          blk_(layers<Layer>(w, dims_, shared_)),
          output_norm_(w, "output_norm", dims_.width, dims_.eps),
          output_(output_or_tied(w, dims_)) {}

    Tensor forward(graph::Builder& builder) const {
        Tensor x = token_embd_(builder);
        if (shared_.embedding_scale != 1) x = shared_.embedding_scale * x;
        for (size_t i = 0; i < blk_.size(); ++i) {
            builder.begin_layer(int(i));
            x = blk_[i](x, shared_);
        }
        builder.begin_layer(none);
        x = output_(output_norm_(output_rows(x)));
        if (shared_.logit_scale != 1) x = shared_.logit_scale * x;
        return shared_.final_softcap > 0 ? softcap(x, shared_.final_softcap) : x;
    }

  private:
    Dims dims_;
    typename Layer::Shared shared_;
    Embedding token_embd_;
    std::vector<Layer> blk_;
    Norm output_norm_;
    Linear output_;
};

}  // namespace ingle::models
