// DeepSeek Coder: lines, letters, punctuation, CJK, then every numeric character alone.
#include "tokenizer/pre_tokenizer.h"
#include "tokenizer/ranges.h"

namespace ingle::pre {
namespace {

constexpr std::string_view cjk_pattern = R"([一-龥ࠀ-一가-퟿]+)";
constexpr RangeSet cjk(cjk_pattern);

constexpr Set punctuation{unicode::punctuation};

}  // namespace

namespace entries {

extern const PreTokenizer deepseek_coder;
const PreTokenizer deepseek_coder{
    .names = "deepseek-coder",
    .steps =
        {
            {R"([\r\n])", isolate<line_end>},
            {R"(\s?\p{L}+)", isolate<after_space<letters>>},
            {R"(\s?\p{P}+)", isolate<after_space<punctuation>>},
            {cjk_pattern, isolate<range_run<cjk>>},
            {R"(\p{N})", isolate<up_to<numbers, 1>>},
        },
};

}  // namespace entries
}  // namespace ingle::pre
