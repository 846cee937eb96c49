// BLOOM, Poro, GPT-3 Finnish: everything between blanks and sentence marks.
#include "tokenizer/pre_tokenizer.h"

namespace ingle::pre {

namespace entries {

extern const PreTokenizer bloom;
const PreTokenizer bloom{
    .names = "bloom poro-chat gpt3-finnish",
    .steps =
        {
            {R"( ?[^(\s|.,!?…。，、।۔،)]+)", isolate<unbroken_word>},
        },
};

}  // namespace entries
}  // namespace ingle::pre
