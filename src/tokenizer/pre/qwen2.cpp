// Qwen 2: as Llama 3 with every numeric character alone.
#include "tokenizer/pre_tokenizer.h"

namespace ingle::pre {

namespace entries {

extern const PreTokenizer qwen2;
const PreTokenizer qwen2{
    .names = "qwen2 deepseek-r1-qwen kormo f2llmv2 megrez stablelm2 hunyuan solar-open grok-2",
    .steps =
        {
            {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\)"
             R"(r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
             isolate<llama3_word<1>>},
        },
};

}  // namespace entries
}  // namespace ingle::pre
