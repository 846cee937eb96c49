#include "tokenizer/space_escape.h"

#include <algorithm>

namespace ingle::tokenizer {

void append_escaped(std::string_view text, std::string& out) {
    for (const char byte : text) {
        if (byte == ' ')
            out += escaped_space;
        else
            out += byte;
    }
}

void append_unescaped(std::string_view text, std::string& out) {
    while (!text.empty()) {
        const size_t at = std::min(text.find(escaped_space), text.size());
        out += text.substr(0, at);
        if (at == text.size()) return;
        out += ' ';
        text.remove_prefix(at + escaped_space.size());
    }
}

int byte_of(std::string_view token_text) {
    const auto digit = [](char c) {
        return c >= '0' && c <= '9'   ? c - '0'
               : c >= 'A' && c <= 'F' ? c - 'A' + 10
               : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                      : -1;
    };
    if (token_text.size() != 6 || !token_text.starts_with("<0x") || token_text[5] != '>') return -1;
    const int high = digit(token_text[3]), low = digit(token_text[4]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

ByteFallback::ByteFallback(const Vocabulary& vocabulary) : unknown_(vocabulary.special.unknown) {
    tokens_.fill(no_token);
    for (size_t i = 0; i < vocabulary.tokens.size(); ++i) {
        const int byte = byte_of(vocabulary.tokens[i]);
        if (byte >= 0 && tokens_[size_t(byte)] == no_token) tokens_[size_t(byte)] = Token(i);
    }
}

bool ByteFallback::complete() const {
    return std::find(tokens_.begin(), tokens_.end(), no_token) == tokens_.end();
}

void ByteFallback::append(std::string_view bytes, std::vector<Token>& out) const {
    const auto token_of = [&](char byte) { return tokens_[uint8_t(byte)]; };
    const bool all =
        std::all_of(bytes.begin(), bytes.end(), [&](char c) { return token_of(c) >= 0; });
    if (all)
        std::transform(bytes.begin(), bytes.end(), std::back_inserter(out), token_of);
    else if (unknown_ != no_token)
        out.push_back(unknown_);
}

void append_escaped_piece(std::string_view token_text, TokenType type, std::string& out) {
    if (const int byte = type == TokenType::byte ? byte_of(token_text) : -1; byte >= 0)
        out += char(byte);
    else
        append_unescaped(token_text, out);
}

}  // namespace ingle::tokenizer
