// Youtu: runs of Hangul, of full-width marks, of Bopomofo, of Han and kana; then as GPT-4o.
#include "tokenizer/pre_tokenizer.h"
#include "tokenizer/ranges.h"

namespace ingle::pre {
namespace {

constexpr RangeSet hangul("[\uac00-\ud7a3\u3131-\u318e]");
constexpr RangeSet marks(
    "[\uff01\u2026\u201c\u201d\u2018\u2019\u2014\uff1a\uff1b\uff0c\u3001-\u303f\ufe30-\ufe4f]");
constexpr RangeSet bopomofo("[\u3105-\u312f]");
constexpr RangeSet han_and_kana("[\u4e00-\u9fa5\u3040-\u30ff]");

size_t script_run(std::string_view text, size_t at) {
    return first_of(text, at, range_run<hangul>, range_run<marks>, range_run<bopomofo>,
                    range_run<han_and_kana>);
}

}  // namespace

namespace entries {

extern const PreTokenizer youtu;
const PreTokenizer youtu{
    .names = "youtu",
    .steps =
        {
            {R"([가-힣ㄱ-ㆎ]+|[！…“”‘’—：；，、-〿︰-﹏]+|[ㄅ-ㄯ]+|[一-龥぀-ゟ゠-ヿ]+)",
             isolate<script_run>},
            {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
             R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{)"
             R"(M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\)"
             R"(s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
             isolate<gpt4o_word>},
        },
    .ignore_merges = true,
};

}  // namespace entries
}  // namespace ingle::pre
