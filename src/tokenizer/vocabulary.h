// A vocabulary as plain data: what a model file says about its tokens, before any algorithm is
// chosen. GGUF files, tokenizer.json, SentencePiece models and vocabulary lists are all read into
// this struct.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"

namespace ingle {

using Token = int32_t;
inline constexpr Token no_token = -1;

// The numbers are those of `tokenizer.ggml.token_type` and of SentencePiece.
enum class TokenType : uint8_t {
    normal = 1,
    unknown = 2,       // stands for what the vocabulary cannot write
    control = 3,       // steers the model; made from text only where the text is trusted
    user_defined = 4,  // an added token that ordinary text is searched for first
    unused = 5,
    byte = 6,  // "<0x0A>": one byte of a character that has no token
};

// How an added token treats its surroundings, as tokenizer.json says (bits of
// Vocabulary::added_flags).
enum AddedFlag : uint8_t {
    strip_left = 1,   // takes the white space before it
    strip_right = 2,  // takes the white space after it
    single_word = 4,  // only where no word character touches it
};

struct SpecialTokens {
    Token bos = no_token;
    Token eos = no_token;
    Token eot = no_token;  // end of turn
    Token eom = no_token;  // end of message
    Token unknown = no_token;
    Token separator = no_token;
    Token padding = no_token;
    Token cls = no_token;  // WordPiece opens with it; bos stands in when it is missing
    Token mask = no_token;
    Token fim_prefix = no_token;
    Token fim_suffix = no_token;
    Token fim_middle = no_token;
    Token fim_padding = no_token;
    Token fim_repository = no_token;
    Token fim_separator = no_token;
};

struct Vocabulary {
    // `tokenizer.ggml.model`: llama, gpt2, gemma4, bert, t5, rwkv, plamo2, none.
    std::string model = {};
    // `tokenizer.ggml.pre`; empty = the file does not say (taken as "default", with a warning).
    std::string pre = {};

    // As the file writes them: byte-level models in GPT-2's letters, SentencePiece with U+2581.
    std::vector<std::string> tokens = {};
    std::vector<float> scores = {};         // empty or one per token; higher wins
    std::vector<TokenType> types = {};      // empty (all normal) or one per token
    std::vector<uint8_t> added_flags = {};  // empty or one per token: bits of AddedFlag
    // "left right", best first; `left` has no space after its first byte.
    std::vector<std::string> merges = {};

    SpecialTokens special = {};
    std::vector<Token> end_of_generation = {};  // more of them than `special` names
    std::vector<Token> suppressed = {};         // never to be sampled

    // Unset: the default of the model or of the pre-tokenizer.
    std::optional<bool> add_bos = {};
    std::optional<bool> add_eos = {};
    std::optional<bool> add_separator = {};
    std::optional<bool> add_space_prefix = {};
    std::optional<bool> remove_extra_whitespaces = {};
    std::optional<bool> ignore_merges = {};  // a whole word that is a token needs no merges
    std::optional<bool> lowercase = {};      // WordPiece
    std::optional<bool> strip_accents = {};  // WordPiece; unset: as `lowercase`

    std::string precompiled_charsmap = {};  // SentencePiece's normalization table, as in the file

    // User-defined tokens that occur in it (<think>, <tool_call>) are control to untrusted text.
    std::string chat_template = {};
};

inline TokenType type_of(const Vocabulary& vocabulary, Token token) {
    return vocabulary.types.empty() ? TokenType::normal : vocabulary.types[size_t(token)];
}

// One fault that makes the vocabulary unusable (sizes that differ, ids out of range), or ok.
Status check(const Vocabulary& vocabulary);

}  // namespace ingle
