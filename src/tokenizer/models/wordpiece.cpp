// WordPiece (BERT): the text is cleaned, cut into words and single marks, and each word is covered
// from the left by the longest tokens; a word that cannot be covered is one unknown token. GGUF
// spells the first token of a word with U+2581 and the others bare; vocabulary lists spell the
// first one bare and the others with "##".
#include <algorithm>

#include "base/unicode/unicode.h"
#include "base/utf8.h"
#include "tokenizer/algorithm.h"
#include "tokenizer/space_escape.h"
#include "tokenizer/token_map.h"

namespace ingle::tokenizer {
namespace {

constexpr size_t word_characters_max = 100;  // longer words are unknown, as in the reference
constexpr std::string_view continuation = "##";

struct Range {
    char32_t first, last;
};
// Ideographs are words of their own.
constexpr Range ideographs[] = {{0x4e00, 0x9fff},   {0x3400, 0x4dbf},   {0x20000, 0x2a6df},
                                {0x2a700, 0x2b73f}, {0x2b740, 0x2b81f}, {0x2b920, 0x2ceaf},
                                {0xf900, 0xfaff},   {0x2f800, 0x2fa1f}};

bool is_ideograph(char32_t point) {
    return std::any_of(std::begin(ideographs), std::end(ideographs), [point](Range range) {
        return point >= range.first && point <= range.last;
    });
}

bool is_mark(char32_t point, uint32_t classes) {
    return classes & unicode::punctuation || (point < 0x80 && classes & unicode::symbol);
}

class WordPiece : public Encoder {
  public:
    explicit WordPiece(const Vocabulary& vocabulary)
        : tokens_(vocabulary.tokens),
          unknown_(vocabulary.special.unknown),
          lowercase_(*vocabulary.lowercase),
          strip_accents_(*vocabulary.strip_accents) {
        const auto any = [&](std::string_view prefix) {
            return std::any_of(vocabulary.tokens.begin(), vocabulary.tokens.end(),
                               [&](const std::string& text) { return text.starts_with(prefix); });
        };
        if (any(continuation) && !any(escaped_space)) {
            first_ = "";
            following_ = continuation;
        }
        for (size_t i = 0; i < vocabulary.tokens.size(); ++i)
            if (type_of(vocabulary, Token(i)) == TokenType::normal) tokens_.insert(Token(i));
    }

    void encode(std::string_view text, std::vector<Token>& out) const override {
        std::string word;
        const auto end_word = [&] {
            if (!word.empty()) encode_word(word, out);
            word.clear();
        };
        while (!text.empty()) {
            const auto [point, length] = utf8::decode(text);
            text.remove_prefix(size_t(length));
            const uint32_t classes = unicode::classes(point);
            if (classes & unicode::white_space)
                end_word();
            else if (point == utf8::invalid || point == 0xfffd || classes & unicode::other)
                continue;
            else
                append_character(point, word, end_word);
        }
        end_word();
    }

    void append_piece(std::string_view token_text, TokenType, std::string& out) const override {
        const std::string_view start = first_, inside = following_;
        if (!start.empty()) return append_unescaped(token_text, out);
        const bool continues = token_text.starts_with(inside);
        if (!continues) out += ' ';
        out += continues ? token_text.substr(inside.size()) : token_text;
    }

    bool strips_leading_space() const override { return true; }

    // Takes off the spaces before marks and contractions, which only come from the cutting.
    void finish(std::string& text) const override {
        constexpr std::string_view joined[] = {".",   "?",  "!",  ",",   "'",
                                               "n't", "'m", "'s", "'ve", "'re"};
        for (const std::string_view mark : joined) {
            const std::string spaced = mark == "'" ? " ' " : cat(" ", mark);
            std::string result;
            std::string_view rest = text;
            while (true) {
                const size_t at = rest.find(spaced);
                result += rest.substr(0, at);
                if (at == rest.npos) break;
                result += mark;
                rest.remove_prefix(at + spaced.size());
            }
            text = std::move(result);
        }
    }

  private:
    // Normalizes one character; marks and ideographs stand alone.
    template <class EndWord>
    void append_character(char32_t point, std::string& word, const EndWord& end_word) const {
        std::string normal;
        if (strip_accents_)
            unicode::append_unaccented(normal, point);
        else
            utf8::append(normal, point);
        const bool ideograph = is_ideograph(point);
        if (ideograph) end_word();
        for (std::string_view rest = normal; !rest.empty();) {
            const auto [part, length] = utf8::decode(rest);
            rest.remove_prefix(size_t(length));
            const bool alone = is_mark(part, unicode::classes(part));
            if (alone) end_word();
            utf8::append(word, lowercase_ ? unicode::lower(part) : part);
            if (alone) end_word();
        }
        if (ideograph) end_word();
    }

    void encode_word(std::string_view word, std::vector<Token>& out) const {
        const size_t before = out.size();
        const auto is_start = [](char byte) { return (byte & 0xc0) != 0x80; };
        if (size_t(std::count_if(word.begin(), word.end(), is_start)) <= word_characters_max) {
            std::string candidate;
            size_t at = 0;
            while (at < word.size()) {
                const std::string_view prefix = at == 0 ? first_ : following_;
                size_t length = std::min(word.size() - at, tokens_.longest());
                Token token = no_token;
                for (; length > 0; --length) {
                    if (at + length < word.size() && !is_start(word[at + length])) continue;
                    candidate.assign(prefix).append(word.substr(at, length));
                    if ((token = tokens_.find(candidate)) != no_token) break;
                }
                if (token == no_token) break;
                out.push_back(token);
                at += length;
            }
            if (at == word.size()) return;
            out.resize(before);
        }
        if (unknown_ != no_token) out.push_back(unknown_);
    }

    TokenMap tokens_;
    Token unknown_;
    bool lowercase_;
    bool strip_accents_;
    std::string_view first_ = escaped_space;
    std::string_view following_ = "";
};

Result<std::unique_ptr<const Encoder>> make(Vocabulary& vocabulary) {
    SpecialTokens& special = vocabulary.special;
    // [CLS] text [SEP], under whatever names the file gives them.
    if (special.cls != no_token) special.bos = special.cls;
    if (special.separator != no_token) special.eos = special.separator;
    if (!vocabulary.add_bos) vocabulary.add_bos = true;
    if (!vocabulary.add_eos) vocabulary.add_eos = true;
    if (!vocabulary.lowercase) vocabulary.lowercase = true;
    if (!vocabulary.strip_accents) vocabulary.strip_accents = vocabulary.lowercase;
    return std::unique_ptr<const Encoder>(std::make_unique<WordPiece>(vocabulary));
}

}  // namespace

namespace entries {

extern const Algorithm wordpiece;
const Algorithm wordpiece{.names = "bert", .make = make};

}  // namespace entries
}  // namespace ingle::tokenizer
