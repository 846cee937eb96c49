#include "tokenizer/tokenizer.h"

#include <algorithm>

#include "base/utf8.h"
#include "tokenizer/added_tokens.h"
#include "tokenizer/algorithm.h"
#include "tokenizer/special_tokens.h"

namespace ingle {

using tokenizer::AddedMatch;
using tokenizer::TrustedRange;

class Tokenizer::Implementation {
  public:
    std::unique_ptr<const tokenizer::Encoder> encoder;
    tokenizer::AddedTokens added;

    std::vector<Token> encode(std::string_view text, std::span<const TrustedRange> trusted) const {
        std::vector<Token> tokens;
        for (size_t at = 0; at < text.size();) {
            const AddedMatch match = added.find(text, at, trusted);
            if (match.text_end > at) encoder->encode(text.substr(at, match.text_end - at), tokens);
            if (match.token != no_token) tokens.push_back(match.token);
            at = match.next;
        }
        return tokens;
    }
};

Tokenizer::Tokenizer(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}
Tokenizer::~Tokenizer() = default;

Result<std::unique_ptr<const Tokenizer>> Tokenizer::make(Vocabulary given) {
    INGLE_TRY(check(given));
    INGLE_ASSIGN(const tokenizer::Algorithm* const algorithm,
                 tokenizer::find_algorithm(given.model));
    // From here on the vocabulary stays in one place: the encoder refers to its texts.
    std::unique_ptr<Tokenizer> made(new Tokenizer(std::move(given)));
    Vocabulary& vocabulary = made->vocabulary_;
    tokenizer::complete_special_tokens(vocabulary);
    auto implementation = std::make_unique<Implementation>();
    INGLE_ASSIGN(implementation->encoder, algorithm->make(vocabulary));
    implementation->added = tokenizer::AddedTokens(vocabulary);
    made->implementation_ = std::move(implementation);
    vocabulary.merges = {};
    vocabulary.scores = {};
    vocabulary.precompiled_charsmap = {};
    vocabulary.add_bos = vocabulary.add_bos.value_or(false) && vocabulary.special.bos != no_token;
    vocabulary.add_eos = vocabulary.add_eos.value_or(false) && vocabulary.special.eos != no_token;
    return std::unique_ptr<const Tokenizer>(std::move(made));
}

std::vector<Token> Tokenizer::encode(std::string_view text, EncodeOptions options) const {
    const TrustedRange whole{0, text.size()};
    std::vector<Token> tokens =
        implementation_->encode(text, std::span(&whole, options.parse_special ? 1 : 0));
    if (options.add_special && adds_bos()) tokens.insert(tokens.begin(), special().bos);
    if (options.add_special && adds_eos()) tokens.push_back(special().eos);
    return tokens;
}

std::vector<Token> Tokenizer::encode(std::span<const TextPiece> pieces, bool add_special) const {
    std::string text;
    std::vector<TrustedRange> trusted;
    for (const TextPiece& piece : pieces) {
        const size_t begin = text.size();
        text += piece.text;
        if (!piece.trusted || piece.text.empty()) continue;
        if (!trusted.empty() && trusted.back().end == begin)
            trusted.back().end = text.size();
        else
            trusted.push_back({begin, text.size()});
    }
    std::vector<Token> tokens = implementation_->encode(text, trusted);
    const bool begins_with_bos = !tokens.empty() && tokens.front() == special().bos;
    if (add_special && adds_bos() && !begins_with_bos) tokens.insert(tokens.begin(), special().bos);
    if (add_special && adds_eos()) tokens.push_back(special().eos);
    return tokens;
}

TokenType Tokenizer::type(Token token) const {
    return token >= 0 && token < size() ? type_of(vocabulary_, token) : TokenType::unknown;
}

bool Tokenizer::is_control(Token token) const {
    const TokenType kind = type(token);
    return kind == TokenType::control || kind == TokenType::unknown;
}

bool Tokenizer::is_end_of_generation(Token token) const {
    const auto& ends = vocabulary_.end_of_generation;
    return std::binary_search(ends.begin(), ends.end(), token);
}

Token Tokenizer::find(std::string_view text) const {
    const auto& tokens = vocabulary_.tokens;
    const auto found = std::find(tokens.begin(), tokens.end(), text);
    return found != tokens.end() ? Token(found - tokens.begin()) : no_token;
}

void Tokenizer::append_piece(Token token, bool special, std::string& out) const {
    if (token < 0 || token >= size()) return;
    const std::string& text = vocabulary_.tokens[size_t(token)];
    const TokenType kind = type(token);
    if (is_control(token)) {
        if (special) out += text;
    } else if (kind == TokenType::user_defined) {
        out += text;
    } else {
        implementation_->encoder->append_piece(text, kind, out);
    }
}

std::string Tokenizer::piece(Token token, bool special) const {
    std::string out;
    append_piece(token, special, out);
    return out;
}

std::string Tokenizer::decode(std::span<const Token> tokens, bool special) const {
    std::string text;
    // The encoder put a space before the text and before what follows an added token.
    bool strip = implementation_->encoder->strips_leading_space();
    const bool strips = strip;
    for (const Token token : tokens) {
        const size_t before = text.size();
        append_piece(token, special, text);
        if (text.size() == before) continue;
        const bool added = type(token) == TokenType::user_defined || is_control(token);
        if (strip && !added && text[before] == ' ') text.erase(before, 1);
        strip = strips && added;
    }
    implementation_->encoder->finish(text);
    return text;
}

Detokenizer::Detokenizer(const Tokenizer& tokenizer, bool special, bool begins_text)
    : tokenizer_(tokenizer),
      special_(special),
      begins_text_(begins_text && tokenizer.implementation_->encoder->strips_leading_space()),
      at_start_(begins_text_) {}

std::string Detokenizer::push(Token token) {
    std::string bytes = std::move(held_);
    held_.clear();
    const size_t before = bytes.size();
    tokenizer_.append_piece(token, special_, bytes);
    if (bytes.size() > before) {
        if (at_start_ && bytes[before] == ' ' && !tokenizer_.is_control(token))
            bytes.erase(before, 1);
        at_start_ = false;
    }
    const size_t tail = utf8::incomplete_tail(bytes);
    held_.assign(bytes, bytes.size() - tail);
    bytes.erase(bytes.size() - tail);
    return utf8::replace_invalid(bytes);
}

std::string Detokenizer::flush() {
    const std::string rest = utf8::replace_invalid(held_);
    held_.clear();
    at_start_ = begins_text_;
    return rest;
}

}  // namespace ingle
