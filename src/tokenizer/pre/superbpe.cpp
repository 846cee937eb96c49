// SuperBPE: only numbers are cut out, in threes from the right.
#include "tokenizer/pre_tokenizer.h"

namespace ingle::pre {
namespace {

void groups_of_three(std::string_view text, size_t offset, Ends& ends) {
    group_digits(text, offset, {.digits = {unicode::Nd}, .at_boundary = false, .isolated = false},
                 ends);
}

}  // namespace

namespace entries {

extern const PreTokenizer superbpe;
const PreTokenizer superbpe{
    .names = "superbpe",
    .steps =
        {
            {R"(\p{N}+)", isolate<up_to<numbers, SIZE_MAX>>},
            {R"((?=(\d{3})+(?!\d)))", groups_of_three},
        },
};

}  // namespace entries
}  // namespace ingle::pre
