// Makes one vector of the hidden states of a text's tokens, which come in pieces:
//   mean  sum of all / tokens      cls  the first      last  the last      none  all of them, one after another
//   rank  the score that the model's head gives the last
// then, if asked for, each to length 1 (not rank). (Sums in double, in order: the pieces do not matter.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/ranking_head.h"
#include "engine/request.h"

namespace ingle {

class Pooler {
  public:
    // `head`: for rank; must outlive it.
    Pooler(Pooling pooling, bool normalize, int64_t columns, const RankingHead* head = nullptr)
        : pooling_(pooling), normalize_(normalize && pooling != Pooling::rank), columns_(columns), head_(head) {}

    // The states of the next tokens: [tokens, columns].
    void add(std::span<const float> states);
    void reset();
    Embedding finish();

  private:
    Pooling pooling_;
    bool normalize_;
    int64_t columns_;
    const RankingHead* head_;
    int64_t tokens_ = 0;
    std::vector<double> sums_;
    std::vector<float> values_;
};

}  // namespace ingle
