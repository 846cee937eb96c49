// Text to tokens and back. One Tokenizer serves every model kind; the algorithm is found by
// `Vocabulary::model` in models/, the word splitting of byte-level models by `Vocabulary::pre` in
// pre/.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "tokenizer/vocabulary.h"

namespace ingle {

// Part of a text and where it comes from. Control tokens are made from trusted text only (a
// template's own words), never from what a user or a tool wrote; merges run across the borders all
// the same.
struct TextPiece {
    std::string_view text;
    bool trusted = false;
};

struct EncodeOptions {
    bool add_special = true;    // BOS, EOS, CLS, SEP as the vocabulary asks for
    bool parse_special = true;  // the whole text is trusted
};

// Immutable once made; every function may be called from several threads at once.
class Tokenizer {
  public:
    // Fails for a model kind or pre-tokenizer that is unknown (named, with near names) and for a
    // vocabulary that contradicts itself.
    static Result<std::unique_ptr<const Tokenizer>> make(Vocabulary vocabulary);
    ~Tokenizer();

    // Any bytes are accepted, also broken UTF-8. Time grows about linearly with the text.
    std::vector<Token> encode(std::string_view text, EncodeOptions options = {}) const;

    // As above for a text made of pieces (a rendered chat template). With `add_special`, a text
    // that already begins with BOS gets no second one.
    std::vector<Token> encode(std::span<const TextPiece> pieces, bool add_special) const;

    // The bytes that a token stands for, possibly part of a character. Control tokens are empty
    // unless `special`. Ids outside the vocabulary are empty.
    std::string piece(Token token, bool special = false) const;

    // The bytes of a text. The space that SentencePiece puts before a text is taken off again. With
    // `special`, control tokens are written out.
    std::string decode(std::span<const Token> tokens, bool special = false) const;

    // The first token with exactly this text, or no_token. Looks through the whole vocabulary.
    Token find(std::string_view text) const;

    int32_t size() const { return int32_t(vocabulary_.tokens.size()); }
    // Special ids, types and texts. Merges, scores and the normalization table have been moved out.
    const Vocabulary& vocabulary() const { return vocabulary_; }
    const SpecialTokens& special() const { return vocabulary_.special; }
    TokenType type(Token token) const;
    // Control and unknown tokens: they stand for no text.
    bool is_control(Token token) const;
    // EOS, EOT, EOM and what else ends an answer, by metadata and by well-known texts.
    bool is_end_of_generation(Token token) const;
    const std::vector<Token>& end_of_generation() const { return vocabulary_.end_of_generation; }
    bool adds_bos() const { return *vocabulary_.add_bos; }
    bool adds_eos() const { return *vocabulary_.add_eos; }

  private:
    friend class Detokenizer;
    class Implementation;

    explicit Tokenizer(Vocabulary vocabulary);
    // The bytes of a token inside the vocabulary; nothing for control tokens unless `special`.
    void append_piece(Token token, bool special, std::string& out) const;

    Vocabulary vocabulary_;
    std::unique_ptr<const Implementation> implementation_;
};

// Turns a stream of tokens into text, one token at a time, in whole characters only.
class Detokenizer {
  public:
    // `begins_text`: take off SentencePiece's leading space; false when continuing a prompt.
    explicit Detokenizer(const Tokenizer& tokenizer, bool special = false,
                         bool begins_text = false);

    // The characters that this token completes: always well-formed UTF-8, often empty. Bytes that
    // can never become a character turn into U+FFFD.
    std::string push(Token token);
    // What was held back; half a character becomes U+FFFD. The stream may begin anew afterwards.
    std::string flush();

  private:
    const Tokenizer& tokenizer_;
    bool special_;
    bool begins_text_;
    bool at_start_;
    std::string held_;  // at most 3 bytes: the beginning of a character
};

}  // namespace ingle
