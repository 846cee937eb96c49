// Jais 2: as Llama 3, with white space before a word in powers of two.
#include "tokenizer/pre_tokenizer.h"

namespace ingle::pre {
namespace {

// The longest of 512, 256 ... 4, then 2 or 1 characters that white space or the end follows; else
// one.
size_t blanks_in_powers(std::string_view text, size_t at) {
    const size_t window = skip(text, at, spaces, 513);
    size_t count = 0;
    for (size_t place = at; place < window; ++count) place += character_at(text, place).length;
    const size_t usable =
        window == text.size() || count == 513 ? std::min<size_t>(count, 512) : count - 1;
    if (count == 0) return at;
    for (size_t size = 512; size > 1; size /= 2)
        if (size <= usable) return skip(text, at, spaces, size);
    return skip(text, at, spaces, 1);
}

size_t word(std::string_view text, size_t at) {
    return first_of(text, at, contraction, prefixed_letters, up_to<numbers, 3>,
                    spaced_others_and_lines, blanks_in_powers);
}

}  // namespace

namespace entries {

extern const PreTokenizer jais2;
const PreTokenizer jais2{
    .names = "jais-2",
    .steps =
        {
            {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[)"
             R"(^\s\p{L}\p{N}]+[\r\n]*|\s{512}(?!\S)|\s{256}(?!\S)|\s{128}(?!\S)|\s{)"
             R"(64}(?!\S)|\s{32}(?!\S)|\s{16}(?!\S)|\s{8}(?!\S)|\s{4}(?!\S)|\s{1,2}()"
             R"(?!\S)|\s{1})",
             isolate<word>},
        },
};

}  // namespace entries
}  // namespace ingle::pre
