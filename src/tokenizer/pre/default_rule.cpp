// The rule of files that name none or "default": punctuation, as GPT-2, numbers, digits in threes.
#include "tokenizer/pre_tokenizer.h"

namespace ingle::pre {
namespace {

bool is_mark(const Character& c) {
    constexpr std::u32string_view symbols = U"$+<=>^~|";
    return (c.classes & unicode::punctuation) != 0 || symbols.find(c.point) != symbols.npos;
}

size_t marks(std::string_view text, size_t at) {
    return skip_while(text, at, is_mark);
}

}  // namespace

namespace entries {

extern const PreTokenizer default_rule;
const PreTokenizer default_rule{
    .names = "default",
    .steps =
        {
            {R"([\p{P}\$\+<=>\^~\|]+)", isolate<marks>},
            {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
             isolate<gpt2_word>},
            {R"(\p{N}+)", isolate<up_to<numbers, SIZE_MAX>>},
            {R"([0-9][0-9][0-9])", isolate<three_digits>},
        },
};

}  // namespace entries
}  // namespace ingle::pre
