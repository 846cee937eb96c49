// Makes one vector of the hidden states of a text's tokens, which come in pieces:
//   mean  sum of all / tokens      cls  the first      last  the last      none  all of them, one after another
// then, if asked for, each to length 1. (Sums in double, in order: the pieces do not matter.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/request.h"

namespace ingle {

class Pooler {
  public:
    Pooler(Pooling pooling, bool normalize, int64_t columns)
        : pooling_(pooling), normalize_(normalize), columns_(columns) {}

    // The states of the next tokens: [tokens, columns].
    void add(std::span<const float> states);
    void reset();
    Embedding finish();

  private:
    Pooling pooling_;
    bool normalize_;
    int64_t columns_;
    int64_t tokens_ = 0;
    std::vector<double> sums_;
    std::vector<float> values_;
};

}  // namespace ingle
