// Byte-level BPE (GPT-2 and most models since): the pre-tokenizer cuts the text into words, each
// byte of a word is a symbol, and pairs are merged in the order of the merge list. Every byte
// string can be written.
#include <array>

#include "base/log.h"
#include "base/utf8.h"
#include "tokenizer/algorithm.h"
#include "tokenizer/byte_letters.h"
#include "tokenizer/merge_table.h"
#include "tokenizer/pre_tokenizer.h"

namespace ingle::tokenizer {
namespace {

class ByteBpe : public Encoder {
  public:
    ByteBpe(const Vocabulary& vocabulary, const pre::PreTokenizer& pre_tokenizer)
        : pre_tokenizer_(pre_tokenizer),
          tokens_(vocabulary.tokens),
          tokens_count_(Token(vocabulary.tokens.size())),
          unknown_(vocabulary.special.unknown),
          ignore_merges_(*vocabulary.ignore_merges) {
        for (Token token = 0; token < tokens_count_; ++token) {
            const TokenType type = type_of(vocabulary, token);
            if (type != TokenType::control && type != TokenType::unknown) tokens_.insert(token);
        }
    }

    Status load_merges(const std::vector<std::string>& merges) {
        INGLE_ASSIGN(merges_, MergeTable::make(merges, tokens_, tokens_count_));
        const std::array<char16_t, 256> letters = byte_letters();
        for (size_t byte = 0; byte < 256; ++byte) {
            std::string letter;
            utf8::append(letter, letters[byte]);
            byte_ids_[byte] = merges_.id_of(letter, tokens_);
        }
        return {};
    }

    void encode(std::string_view text, std::vector<Token>& out) const override {
        std::vector<Symbol> symbols;
        std::string letters;
        size_t begin = 0;
        for (const size_t end : pre_tokenizer_.split(text)) {
            const std::string_view word = text.substr(begin, end - begin);
            begin = end;
            if (ignore_merges_) {
                letters.clear();
                append_letters(word, letters);
                if (const Token token = tokens_.find(letters); token != no_token) {
                    out.push_back(token);
                    continue;
                }
            }
            encode_word(word, symbols, out);
        }
    }

    void append_piece(std::string_view token_text, TokenType, std::string& out) const override {
        append_bytes(token_text, out);
    }

  private:
    void encode_word(std::string_view word, std::vector<Symbol>& symbols,
                     std::vector<Token>& out) const {
        symbols.clear();
        for (size_t i = 0; i < word.size(); ++i)
            symbols.push_back({byte_ids_[uint8_t(word[i])], uint32_t(i), 1});
        merge(symbols, [this](const Symbol& left, const Symbol& right) {
            return merges_(left.id, right.id);
        });
        for (const Symbol& symbol : symbols) {
            if (symbol.id >= 0 && symbol.id < tokens_count_)
                out.push_back(symbol.id);
            else
                append_byte_tokens(word.substr(symbol.begin, symbol.length), out);
        }
    }

    // A merge result that is no token is written byte by byte.
    void append_byte_tokens(std::string_view bytes, std::vector<Token>& out) const {
        for (const char byte : bytes) {
            const Token id = byte_ids_[uint8_t(byte)];
            const Token token = id < tokens_count_ && id >= 0 ? id : unknown_;
            if (token != no_token) out.push_back(token);
        }
    }

    const pre::PreTokenizer& pre_tokenizer_;
    TokenMap tokens_;
    MergeTable merges_;
    Token tokens_count_;
    Token unknown_;
    bool ignore_merges_;
    std::array<Token, 256> byte_ids_{};
};

Result<std::unique_ptr<const Encoder>> make(Vocabulary& vocabulary) {
    if (vocabulary.pre.empty())
        log(LogLevel::warning,
            "the vocabulary names no pre-tokenizer (tokenizer.ggml.pre); the "
            "\"default\" rule is used and quality may suffer");
    INGLE_ASSIGN(const pre::PreTokenizer* const pre_tokenizer,
                 pre::find_pre_tokenizer(vocabulary.pre.empty() ? "default" : vocabulary.pre));
    if (!vocabulary.add_bos) vocabulary.add_bos = pre_tokenizer->add_bos;
    if (!vocabulary.ignore_merges) vocabulary.ignore_merges = pre_tokenizer->ignore_merges;
    auto encoder = std::make_unique<ByteBpe>(vocabulary, *pre_tokenizer);
    INGLE_TRY(encoder->load_merges(vocabulary.merges));
    return std::unique_ptr<const Encoder>(std::move(encoder));
}

}  // namespace

namespace entries {

extern const Algorithm byte_bpe;
const Algorithm byte_bpe{.names = "gpt2", .make = make};

}  // namespace entries
}  // namespace ingle::tokenizer
