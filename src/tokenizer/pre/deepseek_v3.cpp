// DeepSeek V3: numbers in threes, runs of CJK, a punctuation mark with the Latin word after it.
#include "tokenizer/pre_tokenizer.h"
#include "tokenizer/ranges.h"

namespace ingle::pre {
namespace {

constexpr std::string_view cjk_pattern = R"([一-龥぀-ゟ゠-ヿ]+)";
constexpr RangeSet cjk(cjk_pattern);

}  // namespace

namespace entries {

extern const PreTokenizer deepseek_v3;
const PreTokenizer deepseek_v3{
    .names = "deepseek-v3 hunyuan-dense joyai-llm",
    .steps =
        {
            {R"(\p{N}{1,3})", isolate<up_to<numbers, 3>>},
            {cjk_pattern, isolate<range_run<cjk>>},
            {R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S)"
             R"(}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
             isolate<deepseek_v3_word>},
        },
};

}  // namespace entries
}  // namespace ingle::pre
