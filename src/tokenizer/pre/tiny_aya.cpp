// Tiny Aya: digits in threes from the right, then as GPT-4o.
#include "tokenizer/pre_tokenizer.h"

namespace ingle::pre {
namespace {

void groups_of_three(std::string_view text, size_t offset, Ends& ends) {
    group_digits(text, offset, {.digits = {unicode::Nd}, .at_boundary = true, .isolated = true},
                 ends);
}

}  // namespace

namespace entries {

extern const PreTokenizer tiny_aya;
const PreTokenizer tiny_aya{
    .names = "tiny_aya",
    .steps =
        {
            {R"(\d{1,3}(?=(?:\d{3})*\b))", groups_of_three},
            {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
             R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{)"
             R"(M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\)"
             R"(s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
             isolate<gpt4o_word>},
        },
};

}  // namespace entries
}  // namespace ingle::pre
