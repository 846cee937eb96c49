// Token ids as people and programs write them: "1,2,3", "1 2 3" or "[1, 2, 3]".
#pragma once

#include <string_view>
#include <vector>

#include "base/status.h"
#include "tokenizer/vocabulary.h"

namespace ingle::cli {

Result<std::vector<Token>> parse_token_list(std::string_view text);
// Fails on the first id that is not below `vocabulary_size`.
Status check_tokens(const std::vector<Token>& ids, int64_t vocabulary_size);

}  // namespace ingle::cli
