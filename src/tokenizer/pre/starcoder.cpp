// StarCoder: every numeric character alone, then as GPT-2.
#include "tokenizer/pre_tokenizer.h"

namespace ingle::pre {

namespace entries {

extern const PreTokenizer starcoder;
const PreTokenizer starcoder{
    .names = "starcoder refact command-r smollm codeshell exaone minerva-7b",
    .steps =
        {
            {R"(\p{N})", isolate<up_to<numbers, 1>>},
            {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
             isolate<gpt2_word>},
        },
};

}  // namespace entries
}  // namespace ingle::pre
