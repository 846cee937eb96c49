// ChatGLM 4, DBRX, Smaug: the words of Llama 3 without its other habits.
#include "tokenizer/pre_tokenizer.h"

namespace ingle::pre {

namespace entries {

extern const PreTokenizer chatglm4;
const PreTokenizer chatglm4{
    .names = "glm4 chatglm-bpe dbrx smaug-bpe",
    .steps =
        {
            {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N)"
             R"(}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
             isolate<llama3_word<3>>},
        },
};

}  // namespace entries
}  // namespace ingle::pre
