// Bailing (Ling), LLaDA MoE: as Qwen 2, but white space ends at every line.
#include "tokenizer/pre_tokenizer.h"

namespace ingle::pre {

namespace entries {

extern const PreTokenizer bailing;
const PreTokenizer bailing{
    .names = "bailingmoe bailingmoe2 llada-moe",
    .steps =
        {
            {R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{)"
             R"(N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)",
             isolate<llama3_word<1>>},
        },
};

}  // namespace entries
}  // namespace ingle::pre
