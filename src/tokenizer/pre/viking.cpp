// Viking: as BLOOM, then every numeric character alone.
#include "tokenizer/pre_tokenizer.h"

namespace ingle::pre {

namespace entries {

extern const PreTokenizer viking;
const PreTokenizer viking{
    .names = "viking",
    .steps =
        {
            {R"( ?[^(\s|.,!?…。，、।۔،)]+)", isolate<unbroken_word>},
            {R"(\p{N})", isolate<up_to<numbers, 1>>},
        },
};

}  // namespace entries
}  // namespace ingle::pre
