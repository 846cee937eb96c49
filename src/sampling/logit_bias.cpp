#include "sampling/logit_bias.h"

#include <cmath>

namespace ingle::sampling {

Result<LogitBias> parse_logit_bias(std::string_view text) {
    const size_t sign_at = text.find_first_not_of("0123456789");
    const auto wrong = [&](std::string_view expected) {
        return fail(Code::invalid_argument, "logit_bias: expected ", expected, ", found ",
                    quoted(text));
    };
    if (sign_at == std::string_view::npos || sign_at == 0)
        return wrong("a token id and a bias such as 15043+1 or 15043-inf");
    const auto token = parse_int(text.substr(0, sign_at));
    if (!token || *token > INT32_MAX) return wrong("a token id");
    const char sign = text[sign_at];
    if (sign != '+' && sign != '-' && sign != '=') return wrong("+, - or = after the token id");
    const std::string_view number = text.substr(sign == '-' ? sign_at : sign_at + 1);
    constexpr double forbidden = -std::numeric_limits<double>::infinity();
    if (sign == '=' && number == "false") return LogitBias{Token(*token), forbidden};
    const auto bias = parse_real(number);
    if (!bias || std::isnan(*bias) || (std::isinf(*bias) && *bias > 0))
        return wrong("a number or -inf as bias");
    return LogitBias{Token(*token), *bias};
}

std::string logit_bias_text(LogitBias bias) {
    return std::isinf(bias.bias) ? cat(bias.token, "-inf") : cat(bias.token, "=", bias.bias);
}

}  // namespace ingle::sampling
