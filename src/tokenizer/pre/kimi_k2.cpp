// Kimi K2: runs of Han, then as GPT-4o without Han.
#include "tokenizer/pre_tokenizer.h"

namespace ingle::pre {
namespace {

size_t han_run(std::string_view text, size_t at) {
    return skip(text, at, Set{unicode::han});
}

size_t word_and_contraction(std::string_view text, size_t at) {
    const size_t end = cased_word(text, at, unicode::han);
    return end == at ? at : contraction(text, end);
}

size_t word(std::string_view text, size_t at) {
    return first_of(text, at, han_run, word_and_contraction, up_to<numbers, 3>,
                    spaced_others_and_lines, lines, blanks);
}

}  // namespace

namespace entries {

extern const PreTokenizer kimi_k2;
const PreTokenizer kimi_k2{
    .names = "kimi-k2",
    .steps =
        {
            {R"([\p{Han}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p)"
             R"({Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L})"
             R"(\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+[\p{Ll}\p{Lm}\p{Lo}\p{M}&)"
             R"(&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\)"
             R"(n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
             isolate<word>},
        },
};

}  // namespace entries
}  // namespace ingle::pre
