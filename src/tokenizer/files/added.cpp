#include "tokenizer/files/added.h"

#include "tokenizer/files/build.h"

namespace ingle::files {

Status add_token(const Json& added, int64_t id, Vocabulary& vocabulary) {
    const std::string_view text = text_member(added, "content");
    if (text.empty())
        return fail(Code::corrupt, "added token ", id,
                    ": expected an object with a content, found ", shown(added));
    TokenType type =
        flag_member(added, "special", false) ? TokenType::control : TokenType::user_defined;
    if (id >= 0 && size_t(id) < vocabulary.tokens.size()) {
        const TokenType present = vocabulary.types[size_t(id)];
        if (present == TokenType::unknown || present == TokenType::byte) type = present;
    }
    INGLE_TRY(place(vocabulary, id, text, type));
    const auto flag = [&](const char* key, AddedFlag bit) {
        return flag_member(added, key, false) ? uint8_t(bit) : uint8_t(0);
    };
    add_flags(vocabulary, Token(id),
              flag("lstrip", strip_left) | flag("rstrip", strip_right) |
                  flag("single_word", single_word));
    return {};
}

}  // namespace ingle::files
