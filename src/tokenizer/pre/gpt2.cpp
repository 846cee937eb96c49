// GPT-2: contractions, then words, numbers and the rest, each with one space before it.
#include "tokenizer/pre_tokenizer.h"

namespace ingle::pre {

namespace entries {

extern const PreTokenizer gpt2;
const PreTokenizer gpt2{
    .names =
        "gpt-2 phi-2 jina-es jina-de jina-v2-es jina-v2-de jina-v1-en jina-v2-code roberta-bpe "
        "gigachat a.x-4.0 mellum modern-bert mpt olmo jais trillion granite-docling exaone4",
    .steps =
        {
            {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
             isolate<gpt2_word>},
        },
};

}  // namespace entries
}  // namespace ingle::pre
