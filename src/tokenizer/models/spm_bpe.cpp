// SentencePiece BPE (Llama 1 and 2, Mistral, Gemma): every character is a symbol; the pair whose
// joined text is the token with the highest score is merged first. What has no token is written in
// bytes.
#include <algorithm>
#include <array>
#include <bit>

#include "base/utf8.h"
#include "tokenizer/algorithm.h"
#include "tokenizer/merge.h"
#include "tokenizer/space_escape.h"
#include "tokenizer/token_map.h"

namespace ingle::tokenizer {
namespace {

// Descending scores as ascending keys.
uint32_t key_of(float score) {
    const uint32_t bits = std::bit_cast<uint32_t>(score);
    const uint32_t ascending = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return std::min(~ascending, no_merge - 1);
}

class SpmBpe : public Encoder {
  public:
    explicit SpmBpe(Vocabulary& vocabulary)
        : tokens_(vocabulary.tokens),
          bytes_(vocabulary),
          add_space_prefix_(*vocabulary.add_space_prefix),
          keys_(vocabulary.tokens.size(), key_of(0)) {
        for (size_t i = 0; i < vocabulary.tokens.size(); ++i) {
            if (!vocabulary.scores.empty()) keys_[i] = key_of(vocabulary.scores[i]);
            const TokenType type = type_of(vocabulary, Token(i));
            if (type != TokenType::normal && type != TokenType::user_defined &&
                type != TokenType::unused)
                continue;
            tokens_.insert(Token(i));
            note_inner_spaces(vocabulary.tokens[i]);
        }
    }

    void encode(std::string_view text, std::vector<Token>& out) const override {
        if (text.empty()) return;
        std::string escaped;
        if (add_space_prefix_) escaped = escaped_space;
        append_escaped(text, escaped);
        std::vector<Symbol> symbols;
        std::string_view rest = escaped;
        while (!rest.empty()) {
            const size_t end = word_end(rest);
            encode_word(rest.substr(0, end), symbols, out);
            rest.remove_prefix(end);
        }
    }

    void append_piece(std::string_view token_text, TokenType type,
                      std::string& out) const override {
        append_escaped_piece(token_text, type, out);
    }

    bool strips_leading_space() const override { return add_space_prefix_; }

  private:
    // Which bytes stand before a space that is not at the beginning of a token.
    void note_inner_spaces(std::string_view token) {
        for (size_t at = token.find(escaped_space, 1); at < token.size();
             at = token.find(escaped_space, at + 1))
            if (!token.substr(0, at).ends_with(escaped_space))
                joins_space_[uint8_t(token[at - 1])] = true;
    }

    // The end of a word: a run of spaces, then everything up to a space that no token has inside.
    // No merge crosses it, so that merging word by word gives what merging the whole text would.
    size_t word_end(std::string_view text) const {
        size_t at = 0;
        while (text.substr(at).starts_with(escaped_space)) at += escaped_space.size();
        do {
            at = text.find(escaped_space, at + 1);
        } while (at < text.size() && joins_space_[uint8_t(text[at - 1])]);
        return std::min(at, text.size());
    }

    void encode_word(std::string_view word, std::vector<Symbol>& symbols,
                     std::vector<Token>& out) const {
        symbols.clear();
        for (size_t at = 0; at < word.size();) {
            const size_t length = size_t(utf8::decode(word.substr(at)).length);
            symbols.push_back(
                {tokens_.find(word.substr(at, length)), uint32_t(at), uint32_t(length)});
            at += length;
        }
        merge(symbols, [&](const Symbol& left, const Symbol& right) -> Merge {
            const size_t length = size_t(left.length) + right.length;
            const Token token = tokens_.find(word.substr(left.begin, length));
            if (token == no_token) return {};
            return {keys_[size_t(token)], token};
        });
        for (const Symbol& symbol : symbols) {
            if (symbol.id != no_token)
                out.push_back(symbol.id);
            else
                bytes_.append(word.substr(symbol.begin, symbol.length), out);
        }
    }

    TokenMap tokens_;
    ByteFallback bytes_;
    bool add_space_prefix_;
    std::array<bool, 256> joins_space_{};
    std::vector<uint32_t> keys_;
};

Result<std::unique_ptr<const Encoder>> make(Vocabulary& vocabulary) {
    if (!vocabulary.add_bos) vocabulary.add_bos = true;
    if (!vocabulary.add_space_prefix) vocabulary.add_space_prefix = true;
    return std::unique_ptr<const Encoder>(std::make_unique<SpmBpe>(vocabulary));
}

}  // namespace

namespace entries {

extern const Algorithm spm_bpe;
const Algorithm spm_bpe{.names = "llama", .make = make};

}  // namespace entries
}  // namespace ingle::tokenizer
