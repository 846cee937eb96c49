#include "engine/grammar_mask.h"

namespace ingle {

std::shared_ptr<const grammar::TokenTrie> token_trie_of(const Tokenizer& tokenizer) {
    std::vector<std::string> texts;
    texts.reserve(size_t(tokenizer.size()));
    for (Token token = 0; token < tokenizer.size(); ++token) {
        const bool ends = tokenizer.is_end_of_generation(token);
        texts.push_back(ends || tokenizer.is_control(token) ? "" : tokenizer.piece(token));
    }
    std::vector<uint32_t> ends;
    for (Token token = 0; token < tokenizer.size(); ++token)
        if (tokenizer.is_end_of_generation(token)) ends.push_back(uint32_t(token));
    return std::make_shared<const grammar::TokenTrie>(std::move(texts), std::move(ends));
}

grammar::TokenNames token_names_of(const Tokenizer& tokenizer) {
    return [&tokenizer](std::string_view text) -> std::optional<uint32_t> {
        const Token token = tokenizer.find(text);
        if (token == no_token) return std::nullopt;
        return uint32_t(token);
    };
}

std::span<const uint64_t> GrammarMask::allowed() {
    auto bits = matcher_.allowed();
    if (bits.ok()) return *bits;
    status_ = bits.status();
    nothing_.assign(1, 0);
    return nothing_;
}

Status GrammarMask::accept(Token token) { return matcher_.accept(uint32_t(token)); }

void GrammarMask::reset() {
    matcher_.reset();
    status_ = {};
}

}  // namespace ingle
