// Chameleon: sentinels, image codes, tabs and indents, digits, marks one by one, then as GPT-2.
#include "tokenizer/pre_tokenizer.h"

namespace ingle::pre {
namespace {

size_t sentinel(std::string_view text, size_t at) {
    constexpr std::string_view opening = "<sentinel:";
    if (!text.substr(at).starts_with(opening)) return at;
    const size_t digits = at + opening.size();
    const size_t end = skip_bytes(text, digits, "0123456789");
    return end != digits && is_at(text, end, '>') ? end + 1 : at;
}

size_t image_code(std::string_view text, size_t at) {
    constexpr std::string_view opening = "IMGIMG";
    if (!text.substr(at).starts_with(opening)) return at;
    const size_t code = at + opening.size();
    const size_t end = skip_bytes(text, code, "ABCDEFGHI");
    return end != code && end <= code + 4 && is_at(text, end, 'Z') ? end + 1 : at;
}

size_t indent(std::string_view text, size_t at) {
    if (is_at(text, at, '\t') || is_at(text, at, '\n')) return at + 1;
    const std::string_view rest = text.substr(at);
    return rest.starts_with("    ") ? at + 4 : rest.starts_with("  ") ? at + 2 : at;
}

size_t mark(std::string_view text, size_t at) {
    const Character c = character_at(text, at);
    const bool ascii = c.length == 1 && symbols_and_punctuation.has(c);
    return ascii || (c.classes & unicode::punctuation) != 0 ? at + c.length : at;
}

}  // namespace

namespace entries {

extern const PreTokenizer chameleon;
const PreTokenizer chameleon{
    .names = "chameleon",
    .steps =
        {
            {R"(<sentinel:[0-9]+>)", isolate<sentinel>},
            {R"((IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z)", isolate<image_code>},
            {R"(([\t\n]|    |  ))", isolate<indent>},
            {R"(\p{N})", isolate<up_to<numbers, 1>>},
            {R"([\p{P}!-/:-@\[-`{-~])", isolate<mark>},
            {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
             isolate<gpt2_word>},
        },
    .add_bos = true,
};

}  // namespace entries
}  // namespace ingle::pre
