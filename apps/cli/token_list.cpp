#include "cli/token_list.h"

#include <cstdint>

namespace ingle::cli {

Result<std::vector<Token>> parse_token_list(std::string_view text) {
    constexpr std::string_view separators = " \t\r\n,[]";
    std::vector<Token> ids;
    while (true) {
        const size_t begin = text.find_first_not_of(separators);
        if (begin == std::string_view::npos) return ids;
        text.remove_prefix(begin);
        const std::string_view word = text.substr(0, text.find_first_of(separators));
        const auto id = parse_int(word);
        if (!id || *id < 0 || *id > INT32_MAX)
            return fail(Code::invalid_argument, "expected a token id, found ", quoted(word));
        ids.push_back(Token(*id));
        text.remove_prefix(word.size());
    }
}

Status check_tokens(const std::vector<Token>& ids, int64_t vocabulary_size) {
    for (const Token id : ids)
        if (id >= vocabulary_size)
            return fail(Code::invalid_argument, "token ", id, " is outside the vocabulary of ",
                        vocabulary_size, " tokens");
    return {};
}

}  // namespace ingle::cli
