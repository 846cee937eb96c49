// Llama 3: numbers in groups of up to three; a word that is a token is never merged.
#include "tokenizer/pre_tokenizer.h"

namespace ingle::pre {

namespace entries {

extern const PreTokenizer llama3;
const PreTokenizer llama3{
    .names = "llama3 llama-v3 llama-bpe falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano",
    .steps =
        {
            {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N)"
             R"(}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
             isolate<llama3_word<3>>},
        },
    .add_bos = true,
    .ignore_merges = true,
};

}  // namespace entries
}  // namespace ingle::pre
