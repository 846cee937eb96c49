#include "tokenizer/files/build.h"

#include <algorithm>

#include "tokenizer/space_escape.h"

namespace ingle::files {

Status place(Vocabulary& vocabulary, int64_t id, std::string_view text, TokenType type) {
    if (id < 0 || id >= ids_max)
        return fail(Code::corrupt, "token ", quoted(text), ": expected an id from 0 to ",
                    ids_max - 1, ", found ", id);
    const size_t size = std::max(vocabulary.tokens.size(), size_t(id) + 1);
    vocabulary.tokens.resize(size);
    vocabulary.types.resize(size, TokenType::unused);
    if (!vocabulary.scores.empty()) vocabulary.scores.resize(size);
    if (!vocabulary.added_flags.empty()) vocabulary.added_flags.resize(size);
    vocabulary.tokens[size_t(id)] = text;
    vocabulary.types[size_t(id)] = type;
    return {};
}

Status place_new(Vocabulary& vocabulary, int64_t id, std::string_view text, TokenType type) {
    if (id >= 0 && size_t(id) < vocabulary.tokens.size() && !vocabulary.tokens[size_t(id)].empty())
        return fail(Code::corrupt, "tokens ", quoted(vocabulary.tokens[size_t(id)]), " and ",
                    quoted(text), " have the same id ", id);
    return place(vocabulary, id, text, type);
}

void fill_holes(Vocabulary& vocabulary) {
    for (size_t id = 0; id < vocabulary.tokens.size(); ++id) {
        if (!vocabulary.tokens[id].empty()) continue;
        vocabulary.tokens[id] = cat("[PAD", id, "]");
        vocabulary.types[id] = TokenType::unused;
    }
}

Token find_token(const Vocabulary& vocabulary, std::string_view text) {
    const auto found = std::find(vocabulary.tokens.begin(), vocabulary.tokens.end(), text);
    return found != vocabulary.tokens.end() ? Token(found - vocabulary.tokens.begin()) : no_token;
}

void mark_bytes(Vocabulary& vocabulary) {
    for (size_t id = 0; id < vocabulary.tokens.size(); ++id)
        if (tokenizer::byte_of(vocabulary.tokens[id]) >= 0) vocabulary.types[id] = TokenType::byte;
}

void add_flags(Vocabulary& vocabulary, Token token, uint8_t flags) {
    if (flags == 0) return;
    vocabulary.added_flags.resize(vocabulary.tokens.size());
    vocabulary.added_flags[size_t(token)] |= flags;
}

}  // namespace ingle::files
