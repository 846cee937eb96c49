// AFMoE (Trinity): numbers in threes from the right, runs of Asian scripts, then as DeepSeek V3.
#include "tokenizer/pre_tokenizer.h"
#include "tokenizer/ranges.h"

namespace ingle::pre {
namespace {

constexpr std::string_view asian_pattern =
    R"([一-鿿㐀-䶿豈-﫿぀-ゟ゠-ヿ･-ﾟ⼀-⿟เ-๿຀-໿ក-៿က-႟ꩠ-ꩿꧠ-꧿가-힯ᄀ-ᇿ]+)";
constexpr RangeSet asian(asian_pattern);

void groups_of_three(std::string_view text, size_t offset, Ends& ends) {
    group_digits(text, offset, {.digits = numbers, .at_boundary = false, .isolated = true}, ends);
}

}  // namespace

namespace entries {

extern const PreTokenizer afmoe;
const PreTokenizer afmoe{
    .names = "afmoe",
    .steps =
        {
            {R"(\p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N})))", groups_of_three},
            {asian_pattern, isolate<range_run<asian>>},
            {R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L)"
             R"(}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
             isolate<deepseek_v3_word>},
        },
};

}  // namespace entries
}  // namespace ingle::pre
