// Feed-forwards that share a layer: a router sends every row to a few of them. (Shazeer et al. 2017)
#pragma once

#include "models/support/blocks.h"

namespace ingle::models {

// SwiGLU.
struct FeedForward {
    Linear ffn_gate, ffn_up, ffn_down;

    // Tensors PREFIXgateSUFFIX ...
    FeedForward(Loader& w, const std::string& blk, int64_t width, int64_t ffn, const std::string& suffix = "")
        : ffn_gate(w, blk + "ffn_gate" + suffix, width, ffn),
          ffn_up(w, blk + "ffn_up" + suffix, width, ffn),
          ffn_down(w, blk + "ffn_down" + suffix, ffn, width) {}

    Tensor operator()(Tensor x) const { return ffn_down(silu(ffn_gate(x)) * ffn_up(x)); }
};

// The hyper-parameters of experts. What a file does not say is as `defaults` has it.
struct ExpertDims {
    int64_t count = 0;
    int64_t ffn = 0;  // of one
    ops::Route route;

    ExpertDims(Loader& w, const Dims& d, const ops::Route& defaults);
};

class RoutedExperts {
  public:
    RoutedExperts(Loader& w, const std::string& blk, const Dims& d, const ExpertDims& experts);
    Tensor operator()(Tensor x) const;

  private:
    ExpertDims dims_;
    Linear ffn_gate_inp_;
    WeightId exp_probs_b_;
    std::vector<WeightId> matrices_;  // as ops::Experts wants them
};

}  // namespace ingle::models
