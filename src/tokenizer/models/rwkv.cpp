// RWKV World: the longest token that the rest of the text begins with, again and again. Token texts
// are written as Python writes bytes: \t \n \r \xHH \\ \' and plain characters.
#include <algorithm>

#include "tokenizer/algorithm.h"
#include "tokenizer/byte_trie.h"

namespace ingle::tokenizer {
namespace {

int hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

void append_unquoted(std::string_view text, std::string& out) {
    constexpr std::string_view letters = "tnr", meanings = "\t\n\r";
    while (!text.empty()) {
        const size_t at = std::min(text.find('\\'), text.size());
        out += text.substr(0, at);
        text.remove_prefix(at);
        if (text.size() < 2) {
            out += text;
            return;
        }
        const bool hex = text[1] == 'x' && text.size() >= 4 && hex_digit(text[2]) >= 0 &&
                         hex_digit(text[3]) >= 0;
        const size_t letter = letters.find(text[1]);
        out += hex                      ? char(hex_digit(text[2]) * 16 + hex_digit(text[3]))
               : letter != letters.npos ? meanings[letter]
                                        : text[1];
        text.remove_prefix(hex ? 4 : 2);
    }
}

class Rwkv : public Encoder {
  public:
    explicit Rwkv(const Vocabulary& vocabulary) : unknown_(vocabulary.special.unknown) {
        std::vector<std::string> texts(vocabulary.tokens.size());
        std::vector<ByteTrie::Entry> entries;
        for (size_t i = 0; i < texts.size(); ++i) {
            if (type_of(vocabulary, Token(i)) != TokenType::normal) continue;
            append_unquoted(vocabulary.tokens[i], texts[i]);
            entries.emplace_back(texts[i], Token(i));
        }
        trie_ = ByteTrie(std::move(entries));
    }

    void encode(std::string_view text, std::vector<Token>& out) const override {
        while (!text.empty()) {
            Token token = unknown_;
            size_t length = 1;
            trie_.prefixes(text, [&](Token found, size_t found_length) {
                token = found;
                length = found_length;
            });
            if (token != no_token) out.push_back(token);
            text.remove_prefix(length);
        }
    }

    void append_piece(std::string_view token_text, TokenType, std::string& out) const override {
        append_unquoted(token_text, out);
    }

  private:
    ByteTrie trie_;
    Token unknown_;
};

Result<std::unique_ptr<const Encoder>> make(Vocabulary& vocabulary) {
    return std::unique_ptr<const Encoder>(std::make_unique<Rwkv>(vocabulary));
}

}  // namespace

namespace entries {

extern const Algorithm rwkv;
const Algorithm rwkv{.names = "rwkv", .make = make};

}  // namespace entries
}  // namespace ingle::tokenizer
