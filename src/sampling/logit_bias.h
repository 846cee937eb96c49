// A bias for one token as text, "15043+1.5" or "15043-inf": the form of --logit-bias and of the
// option's list values.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "sampling/candidates.h"

namespace ingle::sampling {

struct LogitBias {
    Token token;
    double bias;  // finite, or -inf: the token cannot be drawn
};

// "ID+B", "ID-B", "ID=B" with B a number or "inf" after '-'; "ID=false" is -inf.
Result<LogitBias> parse_logit_bias(std::string_view text);
// The same text back, for request fields that give id and bias apart.
std::string logit_bias_text(LogitBias bias);

}  // namespace ingle::sampling
