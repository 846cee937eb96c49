// Mistral Tekken: capitals before small letters, every numeric character alone.
#include "tokenizer/pre_tokenizer.h"

namespace ingle::pre {
namespace {

size_t letters_by_case(std::string_view text, size_t at) {
    return cased_word(text, at, 0);
}

size_t word(std::string_view text, size_t at) {
    return first_of(text, at, letters_by_case, up_to<numbers, 1>, spaced_others_and_paths, lines,
                    blanks);
}

}  // namespace

namespace entries {

extern const PreTokenizer tekken;
const PreTokenizer tekken{
    .names = "tekken",
    .steps =
        {
            {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
             R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}])"
             R"(*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
             isolate<word>},
        },
    .add_bos = true,
    .ignore_merges = true,
};

}  // namespace entries
}  // namespace ingle::pre
