#include "tokenizer/gguf_vocabulary.h"

#include <algorithm>

namespace ingle {
namespace {

std::string key_of(std::string_view name) {
    return cat("tokenizer.ggml.", name);
}

Status read_texts(const gguf::Metadata& metadata, std::string_view name,
                  std::vector<std::string>& out) {
    const std::string key = key_of(name);
    if (!metadata.contains(key)) return {};
    INGLE_ASSIGN(const auto views, metadata.get<std::span<const std::string_view>>(key));
    out.assign(views.begin(), views.end());
    return {};
}

Status read_types(const gguf::Metadata& metadata, std::vector<TokenType>& out) {
    const std::string key = key_of("token_type");
    if (!metadata.contains(key)) return {};
    INGLE_ASSIGN(const auto numbers, metadata.get<std::vector<int32_t>>(key));
    out.resize(numbers.size());
    std::transform(numbers.begin(), numbers.end(), out.begin(), [](int32_t number) {
        const bool known =
            number >= int32_t(TokenType::normal) && number <= int32_t(TokenType::byte);
        return known ? TokenType(number) : TokenType::normal;
    });
    return {};
}

// The first of `names` that is there; ids outside the vocabulary count as missing.
Status read_id(const gguf::Metadata& metadata, std::initializer_list<std::string_view> names,
               size_t tokens, Token& out) {
    for (const std::string_view name : names) {
        const std::string key = key_of(name);
        if (!metadata.contains(key)) continue;
        INGLE_ASSIGN(const auto id, metadata.get<int64_t>(key));
        if (id < 0 || uint64_t(id) >= tokens) continue;
        out = Token(id);
        return {};
    }
    return {};
}

Status read_ids(const gguf::Metadata& metadata, size_t tokens, SpecialTokens& special) {
    const auto read = [&](Token& out, std::initializer_list<std::string_view> names) {
        return read_id(metadata, names, tokens, out);
    };
    INGLE_TRY(read(special.bos, {"bos_token_id"}));
    INGLE_TRY(read(special.eos, {"eos_token_id"}));
    INGLE_TRY(read(special.eot, {"eot_token_id"}));
    INGLE_TRY(read(special.eom, {"eom_token_id"}));
    INGLE_TRY(read(special.unknown, {"unknown_token_id"}));
    INGLE_TRY(read(special.separator, {"seperator_token_id"}));  // spelt so in the format
    INGLE_TRY(read(special.padding, {"padding_token_id"}));
    INGLE_TRY(read(special.cls, {"cls_token_id"}));
    INGLE_TRY(read(special.mask, {"mask_token_id"}));
    INGLE_TRY(read(special.fim_prefix, {"fim_pre_token_id", "prefix_token_id"}));
    INGLE_TRY(read(special.fim_suffix, {"fim_suf_token_id", "suffix_token_id"}));
    INGLE_TRY(read(special.fim_middle, {"fim_mid_token_id", "middle_token_id"}));
    INGLE_TRY(read(special.fim_padding, {"fim_pad_token_id"}));
    INGLE_TRY(read(special.fim_repository, {"fim_rep_token_id"}));
    INGLE_TRY(read(special.fim_separator, {"fim_sep_token_id"}));
    return {};
}

Status read_flags(const gguf::Metadata& metadata, Vocabulary& vocabulary) {
    const std::pair<std::string_view, std::optional<bool>*> flags[] = {
        {"add_bos_token", &vocabulary.add_bos},
        {"add_eos_token", &vocabulary.add_eos},
        {"add_sep_token", &vocabulary.add_separator},
        {"add_space_prefix", &vocabulary.add_space_prefix},
        {"remove_extra_whitespaces", &vocabulary.remove_extra_whitespaces},
        {"normalizer.lowercase", &vocabulary.lowercase},
        {"normalizer.strip_accents", &vocabulary.strip_accents}};
    for (const auto& [name, flag] : flags) {
        const std::string key = key_of(name);
        if (!metadata.contains(key)) continue;
        INGLE_ASSIGN(*flag, metadata.get<bool>(key));
    }
    return {};
}

// Bytes, under whichever integer type the file stores them.
Status read_charsmap(const gguf::Metadata& metadata, std::string& out) {
    const std::string key = key_of("precompiled_charsmap");
    if (!metadata.contains(key)) return {};
    if (const auto bytes = metadata.get<std::vector<uint8_t>>(key); bytes.ok()) {
        out.assign(bytes->begin(), bytes->end());
        return {};
    }
    INGLE_ASSIGN(const auto bytes, metadata.get<std::vector<int8_t>>(key));
    out.assign(bytes.begin(), bytes.end());
    return {};
}

// What tokenizer.json says of these models and GGUF has no key for: Phi-3's added tokens take the
// white space after them, the mask token of ModernBERT and of Jina's models the white space before
// it.
void add_known_flags(const gguf::Metadata& metadata, Vocabulary& vocabulary) {
    const auto set = [&](Token token, AddedFlag flag) {
        vocabulary.added_flags.resize(vocabulary.tokens.size());
        vocabulary.added_flags[size_t(token)] |= flag;
    };
    const std::string_view architecture = metadata.text("general.architecture");
    if (architecture == "phi3" && vocabulary.model == "llama") {
        constexpr std::string_view plain[] = {"<unk>", "<s>", "<|endoftext|>"};
        for (size_t i = 0; i < vocabulary.types.size(); ++i) {
            const TokenType type = vocabulary.types[i];
            const bool is_added = type == TokenType::control || type == TokenType::user_defined;
            if (is_added && std::find(std::begin(plain), std::end(plain), vocabulary.tokens[i]) ==
                                std::end(plain))
                set(Token(i), strip_right);
        }
    }
    const bool strips_mask = architecture == "modern-bert" || vocabulary.pre.starts_with("jina-");
    if (strips_mask && vocabulary.special.mask != no_token)
        set(vocabulary.special.mask, strip_left);
}

}  // namespace

Result<Vocabulary> vocabulary_from(const gguf::Metadata& metadata) {
    Vocabulary vocabulary;
    INGLE_ASSIGN(const auto model, metadata.get<std::string_view>(key_of("model")));
    vocabulary.model = model;
    vocabulary.pre = metadata.text(key_of("pre"));
    INGLE_TRY(read_texts(metadata, "tokens", vocabulary.tokens));
    INGLE_TRY(read_texts(metadata, "merges", vocabulary.merges));
    INGLE_TRY(read_types(metadata, vocabulary.types));
    if (metadata.contains(key_of("scores"))) {
        INGLE_ASSIGN(vocabulary.scores, metadata.get<std::vector<float>>(key_of("scores")));
    }
    INGLE_TRY(read_ids(metadata, vocabulary.tokens.size(), vocabulary.special));
    INGLE_TRY(read_flags(metadata, vocabulary));
    INGLE_TRY(read_charsmap(metadata, vocabulary.precompiled_charsmap));
    if (metadata.contains(key_of("suppress_tokens"))) {
        INGLE_ASSIGN(vocabulary.suppressed,
                     metadata.get<std::vector<int32_t>>(key_of("suppress_tokens")));
    }
    vocabulary.chat_template = metadata.text("tokenizer.chat_template");
    add_known_flags(metadata, vocabulary);
    return vocabulary;
}

}  // namespace ingle
