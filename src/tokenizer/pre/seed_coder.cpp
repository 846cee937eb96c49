// Seed Coder: as Qwen 2, but line ends never belong to a mark.
#include "tokenizer/pre_tokenizer.h"

namespace ingle::pre {
namespace {

size_t word(std::string_view text, size_t at) {
    return first_of(text, at, contraction, prefixed_letters, up_to<numbers, 1>, spaced_others,
                    lines, blanks);
}

}  // namespace

namespace entries {

extern const PreTokenizer seed_coder;
const PreTokenizer seed_coder{
    .names = "seed-coder",
    .steps =
        {
            {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\)"
             R"(s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+)",
             isolate<word>},
        },
};

}  // namespace entries
}  // namespace ingle::pre
