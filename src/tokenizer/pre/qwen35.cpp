// Qwen 3.5: as Qwen 2 with marks counted as letters.
#include "tokenizer/pre_tokenizer.h"

namespace ingle::pre {
namespace {

//    ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*
size_t others(std::string_view text, size_t at) {
    const size_t begin = at + is_at(text, at, ' ');
    const size_t end = skip_except(text, begin, word_classes | unicode::mark);
    return end == begin ? at : skip_bytes(text, end, "\r\n");
}

size_t word(std::string_view text, size_t at) {
    return first_of(text, at, contraction, marked_letters_after<unicode::letter | unicode::number>,
                    up_to<numbers, 1>, others, lines, blanks);
}

}  // namespace

namespace entries {

extern const PreTokenizer qwen35;
const PreTokenizer qwen35{
    .names = "qwen35",
    .steps =
        {
            {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| )"
             R"(?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
             isolate<word>},
        },
};

}  // namespace entries
}  // namespace ingle::pre
