#include "tokenizer/added_tokens.h"

#include "base/unicode/unicode.h"
#include "tokenizer/split.h"

namespace ingle::tokenizer {
namespace {

bool is_added(TokenType type) {
    return type == TokenType::control || type == TokenType::unknown ||
           type == TokenType::user_defined;
}

// <|...|>, <...>, [...] without white space: what a template writes and a user should not be able
// to.
bool is_markup(std::string_view text) {
    if (text.size() < 3 || text.find_first_of(" \t\r\n") != text.npos) return false;
    return (text.front() == '<' && text.back() == '>') ||
           (text.front() == '[' && text.back() == ']');
}

bool is_word_byte_before(std::string_view text, size_t at) {
    while (at > 0 && (text[at - 1] & 0xc0) == 0x80) --at;
    if (at == 0) return false;
    const auto c = pre::character_at(text, at - 1);
    return c.classes & (unicode::letter | unicode::mark | unicode::Nd | unicode::Pc);
}

bool is_word_at(std::string_view text, size_t at) {
    if (at >= text.size()) return false;
    return pre::character_at(text, at).classes &
           (unicode::letter | unicode::mark | unicode::Nd | unicode::Pc);
}

}  // namespace

AddedTokens::AddedTokens(const Vocabulary& vocabulary) : vocabulary_(&vocabulary) {
    std::vector<ByteTrie::Entry> entries;
    for (size_t i = 0; i < vocabulary.types.size(); ++i)
        if (is_added(vocabulary.types[i]))
            entries.emplace_back(vocabulary.tokens[i], Token(i) * 2 + is_protected(Token(i)));
    trie_ = ByteTrie(std::move(entries));
}

bool AddedTokens::is_protected(Token token) const {
    if (type_of(*vocabulary_, token) != TokenType::user_defined) return true;
    const std::string_view text = vocabulary_->tokens[size_t(token)];
    if (!is_markup(text)) return false;
    return text.starts_with("<|") || vocabulary_->chat_template.find(text) != std::string::npos;
}

AddedMatch AddedTokens::find(std::string_view text, size_t from,
                             std::span<const TrustedRange> trusted) const {
    const bool has_flags = !vocabulary_->added_flags.empty();
    for (size_t at = from; at < text.size(); ++at) {
        if (!trie_.may_begin(text[at])) continue;
        while (!trusted.empty() && trusted.front().end <= at) trusted = trusted.subspan(1);
        const size_t trusted_end =
            !trusted.empty() && trusted.front().begin <= at ? trusted.front().end : 0;
        AddedMatch match;
        trie_.prefixes(text.substr(at), [&](int32_t value, size_t length) {
            const size_t end = at + length;
            if (value % 2 != 0 && end > trusted_end) return;
            if (has_flags && vocabulary_->added_flags[size_t(value / 2)] & single_word &&
                (is_word_byte_before(text, at) || is_word_at(text, end)))
                return;
            match = {value / 2, at, end};
        });
        if (match.token != no_token) return has_flags ? strip(text, from, match) : match;
    }
    return {no_token, text.size(), text.size()};
}

AddedMatch AddedTokens::strip(std::string_view text, size_t from, AddedMatch match) const {
    const uint8_t flags = vocabulary_->added_flags[size_t(match.token)];
    if (flags & strip_right) match.next = pre::skip(text, match.next, pre::spaces);
    if (flags & strip_left) {
        // The last place from which everything up to the token is white space.
        size_t begin = from;
        for (size_t at = from; at < match.text_end;) {
            const pre::Character c = pre::character_at(text, at);
            at += c.length;
            if (!pre::spaces.has(c)) begin = at;
        }
        match.text_end = begin;
    }
    return match;
}

}  // namespace ingle::tokenizer
