// Gemma 4: BPE by a merge list over characters, with SentencePiece's escape for spaces and its byte
// tokens. Runs of line ends and what lies between them are merged apart.
#include <algorithm>

#include "base/utf8.h"
#include "tokenizer/algorithm.h"
#include "tokenizer/merge_table.h"
#include "tokenizer/space_escape.h"

namespace ingle::tokenizer {
namespace {

class Gemma4 : public Encoder {
  public:
    explicit Gemma4(const Vocabulary& vocabulary)
        : tokens_(vocabulary.tokens),
          bytes_(vocabulary),
          tokens_count_(Token(vocabulary.tokens.size())),
          add_space_prefix_(*vocabulary.add_space_prefix) {
        for (Token token = 0; token < tokens_count_; ++token) {
            const TokenType type = type_of(vocabulary, token);
            if (type == TokenType::normal || type == TokenType::user_defined) tokens_.insert(token);
        }
    }

    Status load_merges(const std::vector<std::string>& merges) {
        INGLE_ASSIGN(merges_, MergeTable::make(merges, tokens_, tokens_count_));
        return {};
    }

    void encode(std::string_view text, std::vector<Token>& out) const override {
        if (text.empty()) return;
        std::string escaped;
        if (add_space_prefix_) escaped = escaped_space;
        append_escaped(text, escaped);
        std::vector<Symbol> symbols;
        std::string_view rest = escaped;
        while (!rest.empty()) {
            const size_t end = std::min(
                rest[0] == '\n' ? rest.find_first_not_of('\n') : rest.find('\n'), rest.size());
            encode_stretch(rest.substr(0, end), symbols, out);
            rest.remove_prefix(end);
        }
    }

    void append_piece(std::string_view token_text, TokenType type,
                      std::string& out) const override {
        append_escaped_piece(token_text, type, out);
    }

    bool strips_leading_space() const override { return add_space_prefix_; }

  private:
    void encode_stretch(std::string_view text, std::vector<Symbol>& symbols,
                        std::vector<Token>& out) const {
        symbols.clear();
        for (size_t at = 0; at < text.size();) {
            const size_t length = size_t(utf8::decode(text.substr(at)).length);
            symbols.push_back(
                {merges_.id_of(text.substr(at, length), tokens_), uint32_t(at), uint32_t(length)});
            at += length;
        }
        merge(symbols, [this](const Symbol& left, const Symbol& right) {
            return merges_(left.id, right.id);
        });
        for (const Symbol& symbol : symbols) {
            if (symbol.id >= 0 && symbol.id < tokens_count_)
                out.push_back(symbol.id);
            else
                bytes_.append(text.substr(symbol.begin, symbol.length), out);
        }
    }

    TokenMap tokens_;
    ByteFallback bytes_;
    MergeTable merges_;
    Token tokens_count_;
    bool add_space_prefix_;
};

Result<std::unique_ptr<const Encoder>> make(Vocabulary& vocabulary) {
    vocabulary.add_bos = true;  // the model never ends without it, whatever older files say
    if (!vocabulary.add_space_prefix) vocabulary.add_space_prefix = false;
    auto encoder = std::make_unique<Gemma4>(vocabulary);
    INGLE_TRY(encoder->load_merges(vocabulary.merges));
    return std::unique_ptr<const Encoder>(std::move(encoder));
}

}  // namespace

namespace entries {

extern const Algorithm gemma4;
const Algorithm gemma4{.names = "gemma4", .make = make};

}  // namespace entries
}  // namespace ingle::tokenizer
