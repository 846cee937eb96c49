// EXAONE MoE: words joined by single spaces stay together; numeric characters alone.
#include "tokenizer/pre_tokenizer.h"

namespace ingle::pre {
namespace {

//   (?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+
size_t joined_letters(std::string_view text, size_t at) {
    const size_t first = skip(text, at, letters, 1);
    if (first == at) return at;
    size_t end = skip(text, first, Set{unicode::mark});
    while (true) {
        const size_t begin = end + is_at(text, end, ' ');
        const size_t letter_end = skip(text, begin, letters, 1);
        if (letter_end == begin) return end;
        end = skip(text, letter_end, Set{unicode::mark});
    }
}

//   [^\r\n\p{L}\p{N}]?joined_letters
size_t phrase(std::string_view text, size_t at) {
    if (at >= text.size()) return at;
    const Character first = character_at(text, at);
    const bool may_prefix =
        !letters.has(first) && !numbers.has(first) && first.point != '\r' && first.point != '\n';
    const size_t begin = may_prefix ? at + first.length : at;
    const size_t end = joined_letters(text, begin);
    return end == begin ? at : end;
}

size_t others(std::string_view text, size_t at) {
    const size_t end = spaced_others(text, at);
    const bool more = end != at && (is_at(text, end, '/') || line_end(text, end) != end);
    return end + more;
}

size_t word(std::string_view text, size_t at) {
    return first_of(text, at, contraction, phrase, up_to<numbers, 1>, others, lines, blanks);
}

}  // namespace

namespace entries {

extern const PreTokenizer exaone_moe;
const PreTokenizer exaone_moe{
    .names = "exaone-moe",
    .steps =
        {
            {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)"
             R"()*)+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+)",
             isolate<word>},
        },
};

}  // namespace entries
}  // namespace ingle::pre
