#include "tokenizer/vocabulary.h"

#include <cmath>

namespace ingle {
namespace {

Status check_size(std::string_view what, size_t size, size_t tokens) {
    if (size == 0 || size == tokens) return {};
    return fail(Code::corrupt, "vocabulary: expected one entry in ", what, " for each of the ",
                tokens, " tokens, found ", size);
}

Status check_id(std::string_view what, Token token, size_t tokens) {
    if (token == no_token || (token >= 0 && size_t(token) < tokens)) return {};
    return fail(Code::corrupt, "vocabulary: ", what, " token ", token, " is not among the ", tokens,
                " tokens");
}

}  // namespace

Status check(const Vocabulary& vocabulary) {
    const size_t tokens = vocabulary.tokens.size();
    if (tokens > size_t(INT32_MAX / 2))
        return fail(Code::corrupt, "vocabulary: ", tokens, " tokens are too many");
    INGLE_TRY(check_size("scores", vocabulary.scores.size(), tokens));
    INGLE_TRY(check_size("types", vocabulary.types.size(), tokens));
    INGLE_TRY(check_size("added_flags", vocabulary.added_flags.size(), tokens));
    for (size_t i = 0; i < vocabulary.scores.size(); ++i)
        if (!std::isfinite(vocabulary.scores[i]))
            return fail(Code::corrupt, "vocabulary: the score of token ", i,
                        " is no finite number");
    const SpecialTokens& special = vocabulary.special;
    const std::pair<std::string_view, Token> named[] = {{"bos", special.bos},
                                                        {"eos", special.eos},
                                                        {"eot", special.eot},
                                                        {"eom", special.eom},
                                                        {"unknown", special.unknown},
                                                        {"separator", special.separator},
                                                        {"padding", special.padding},
                                                        {"cls", special.cls},
                                                        {"mask", special.mask},
                                                        {"fim_prefix", special.fim_prefix},
                                                        {"fim_suffix", special.fim_suffix},
                                                        {"fim_middle", special.fim_middle},
                                                        {"fim_padding", special.fim_padding},
                                                        {"fim_repository", special.fim_repository},
                                                        {"fim_separator", special.fim_separator}};
    for (const auto& [name, token] : named) INGLE_TRY(check_id(name, token, tokens));
    for (const Token token : vocabulary.end_of_generation)
        INGLE_TRY(check_id("end_of_generation", token, tokens));
    return {};
}

}  // namespace ingle
