// Falcon: punctuation, then as GPT-2, then ASCII digits in threes from the left.
#include "tokenizer/pre_tokenizer.h"

namespace ingle::pre {
namespace {

bool is_mark(const Character& c) {
    constexpr std::u32string_view symbols = U"$+<=>^~|`";
    return (c.classes & unicode::punctuation) != 0 || symbols.find(c.point) != symbols.npos;
}

size_t marks(std::string_view text, size_t at) {
    return skip_while(text, at, is_mark);
}

}  // namespace

namespace entries {

extern const PreTokenizer falcon;
const PreTokenizer falcon{
    .names = "falcon",
    .steps =
        {
            {R"([\p{P}\$\+<=>\^~\|`]+)", isolate<marks>},
            {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
             isolate<gpt2_word>},
            {R"([0-9][0-9][0-9])", isolate<three_digits>},
        },
};

}  // namespace entries
}  // namespace ingle::pre
