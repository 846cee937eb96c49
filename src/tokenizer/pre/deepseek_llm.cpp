// DeepSeek LLM: lines, words of scripts with case, punctuation, trailing space, CJK, numbers.
#include "tokenizer/pre_tokenizer.h"
#include "tokenizer/ranges.h"

namespace ingle::pre {
namespace {

constexpr std::string_view letters_pattern =
    R"(\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ)"
    R"(-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓ)"
    R"(ℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-)"
    R"(ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃]+)";
constexpr RangeSet cased_letters(letters_pattern);

constexpr std::string_view marks_pattern = R"(\s?[!-/:-~！-／：-～‘-‟　-。]+)";
constexpr RangeSet marks(marks_pattern);

constexpr std::string_view cjk_pattern = R"([一-龥ࠀ-一가-퟿]+)";
constexpr RangeSet cjk(cjk_pattern);

void trailing_space(std::string_view text, size_t offset, Ends& ends) {
    size_t begin = text.size();  // of the white space at the end
    for (size_t at = 0; at < text.size();) {
        const Character c = character_at(text, at);
        begin = !spaces.has(c) ? text.size() : begin == text.size() ? at : begin;
        at += c.length;
    }
    if (begin != 0 && begin != text.size()) ends.push_back(offset + begin);
    ends.push_back(offset + text.size());
}

}  // namespace

namespace entries {

extern const PreTokenizer deepseek_llm;
const PreTokenizer deepseek_llm{
    .names = "deepseek-llm",
    .steps =
        {
            {R"([\r\n])", isolate<line_end>},
            {letters_pattern, isolate<spaced_range_run<cased_letters>>},
            {marks_pattern, isolate<spaced_range_run<marks>>},
            {R"(\s+$)", trailing_space},
            {cjk_pattern, isolate<range_run<cjk>>},
            {R"(\p{N})", isolate<up_to<numbers, 1>>},
        },
};

}  // namespace entries
}  // namespace ingle::pre
