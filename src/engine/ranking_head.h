// The head of a model that ranks documents: a matrix over the hidden state of a text's last token.
//
//   cls.output.weight [width, labels], cls.output.bias [labels] (may be missing)
//
// One label: its value is the score. Several, as Qwen3-Reranker's "yes" and "no": the score is the probability of the
// first, by softmax.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gguf/reader.h"

namespace ingle {

class RankingHead {
  public:
    // Nothing if the file has none. Fails for one whose shape is not that of hidden states of `columns`.
    static Result<std::optional<RankingHead>> read(const gguf::File& file, int64_t columns);

    int64_t labels() const { return labels_; }
    float score(std::span<const float> state) const;

  private:
    int64_t labels_ = 0;
    std::vector<float> rows_;  // [labels, columns]
    std::vector<float> bias_;  // [labels]
};

}  // namespace ingle
