#include "tokenizer/special_tokens.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace ingle::tokenizer {
namespace {

struct WellKnown {
    std::string_view text;
    Token SpecialTokens::* role;  // filled in where the metadata is silent; may be null
    bool ends_generation = false;
};

constexpr WellKnown well_known[] = {
    {"<|eot_id|>", &SpecialTokens::eot, true},
    {"<|im_end|>", &SpecialTokens::eot, true},
    {"<|end|>", &SpecialTokens::eot, true},
    {"<end_of_turn>", &SpecialTokens::eot, true},
    {"<|endoftext|>", &SpecialTokens::eot, true},
    {"<|end_of_text|>", &SpecialTokens::eot, true},  // Granite
    {"<EOT>", &SpecialTokens::eot, true},
    {"_<EOT>", &SpecialTokens::eot, true},
    {"[EOT]", &SpecialTokens::eot, true},                  // Kimi K2
    {"<｜end▁of▁sentence｜>", &SpecialTokens::eot, true},  // DeepSeek
    {"<end_of_utterance>", &SpecialTokens::eot, true},     // SmolVLM
    {"<|return|>", nullptr, true},                         // gpt-oss
    {"<|call|>", nullptr, true},
    {"<|flush|>", nullptr, true},  // Solar Open
    {"<|calls|>", nullptr, true},
    {"<|eom_id|>", &SpecialTokens::eom, true},
    {"<|fim_prefix|>", &SpecialTokens::fim_prefix},  // Qwen
    {"<fim-prefix>", &SpecialTokens::fim_prefix},
    {"<fim_prefix>", &SpecialTokens::fim_prefix},     // StarCoder, Granite
    {"<｜fim▁begin｜>", &SpecialTokens::fim_prefix},  // DeepSeek
    {"<PRE>", &SpecialTokens::fim_prefix},
    {"▁<PRE>", &SpecialTokens::fim_prefix},           // CodeLlama
    {"<|code_prefix|>", &SpecialTokens::fim_prefix},  // GLM
    {"<|prefix|>", &SpecialTokens::fim_prefix},       // Falcon H1
    {"<|fim_suffix|>", &SpecialTokens::fim_suffix},
    {"<fim-suffix>", &SpecialTokens::fim_suffix},
    {"<fim_suffix>", &SpecialTokens::fim_suffix},
    {"<｜fim▁hole｜>", &SpecialTokens::fim_suffix},
    {"<SUF>", &SpecialTokens::fim_suffix},
    {"▁<SUF>", &SpecialTokens::fim_suffix},
    {"<|code_suffix|>", &SpecialTokens::fim_suffix},
    {"<|suffix|>", &SpecialTokens::fim_suffix},
    {"<|fim_middle|>", &SpecialTokens::fim_middle},
    {"<fim-middle>", &SpecialTokens::fim_middle},
    {"<fim_middle>", &SpecialTokens::fim_middle},
    {"<｜fim▁end｜>", &SpecialTokens::fim_middle},
    {"<MID>", &SpecialTokens::fim_middle},
    {"▁<MID>", &SpecialTokens::fim_middle},
    {"<|code_middle|>", &SpecialTokens::fim_middle},
    {"<|middle|>", &SpecialTokens::fim_middle},
    {"<|fim_pad|>", &SpecialTokens::fim_padding, true},
    {"<fim-pad>", &SpecialTokens::fim_padding, true},
    {"<fim_pad>", &SpecialTokens::fim_padding, true},
    {"<PAD>", &SpecialTokens::fim_padding, true},
    {"<|fim_repo|>", &SpecialTokens::fim_repository, true},
    {"<|repo_name|>", &SpecialTokens::fim_repository, true},
    {"<fim-repo>", &SpecialTokens::fim_repository, true},
    {"<REPO>", &SpecialTokens::fim_repository, true},
    {"<reponame>", &SpecialTokens::fim_repository, true},
    {"<|file_sep|>", &SpecialTokens::fim_separator, true},
};

// The ids of all well-known texts, in the order of the list.
std::vector<Token> find_all(const Vocabulary& vocabulary) {
    constexpr size_t length_max = 32;
    std::vector<Token> ids(std::size(well_known), no_token);
    for (size_t i = 0; i < vocabulary.tokens.size(); ++i) {
        const std::string& text = vocabulary.tokens[i];
        if (text.size() > length_max || text.size() < 5 ||
            (text.back() != '>' && text.back() != ']'))
            continue;
        for (size_t entry = 0; entry < ids.size(); ++entry)
            if (well_known[entry].text == text && ids[entry] == no_token) ids[entry] = Token(i);
    }
    return ids;
}

// gpt-oss and Solar Open close every message with <|end|> and go on.
bool end_is_no_end(const std::vector<Token>& ids) {
    const auto has = [&](std::string_view text) {
        for (size_t i = 0; i < ids.size(); ++i)
            if (well_known[i].text == text) return ids[i] != no_token;
        return false;
    };
    return has("<|return|>") || (has("<|flush|>") && has("<|calls|>"));
}

void find_unknown(Vocabulary& vocabulary) {
    if (vocabulary.special.unknown != no_token) return;
    const auto found =
        std::find(vocabulary.types.begin(), vocabulary.types.end(), TokenType::unknown);
    if (found != vocabulary.types.end())
        vocabulary.special.unknown = Token(found - vocabulary.types.begin());
}

}  // namespace

void complete_special_tokens(Vocabulary& vocabulary) {
    find_unknown(vocabulary);
    SpecialTokens& special = vocabulary.special;
    std::vector<Token>& ends = vocabulary.end_of_generation;
    const std::vector<Token> ids = find_all(vocabulary);
    const bool end_goes_on = end_is_no_end(ids);
    for (size_t i = 0; i < ids.size(); ++i) {
        const WellKnown& known = well_known[i];
        if (ids[i] == no_token || (known.text == "<|end|>" && end_goes_on)) continue;
        if (vocabulary.types.empty())
            vocabulary.types.resize(vocabulary.tokens.size(), TokenType::normal);
        vocabulary.types[size_t(ids[i])] = TokenType::control;
        if (known.role != nullptr && special.*known.role == no_token) special.*known.role = ids[i];
        if (known.ends_generation) ends.push_back(ids[i]);
    }
    for (const Token token : {special.eos, special.eot, special.eom})
        if (token != no_token) ends.push_back(token);
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
}

}  // namespace ingle::tokenizer
