#include "tokenizer/files/tokenizer_config.h"

#include <algorithm>

#include "base/text.h"
#include "tokenizer/files/added.h"
#include "tokenizer/files/build.h"

namespace ingle {
namespace {

using namespace files;

// "<s>" or {"content": "<s>", ...}
std::string_view token_text(const Json& json) {
    return json.is_string() ? std::string_view(json.get_ref<const std::string&>())
                            : text_member(json, "content");
}

struct Role {
    const char* key;
    Token SpecialTokens::* token;
};
constexpr Role roles[] = {
    {"bos_token", &SpecialTokens::bos},      {"eos_token", &SpecialTokens::eos},
    {"unk_token", &SpecialTokens::unknown},  {"sep_token", &SpecialTokens::separator},
    {"pad_token", &SpecialTokens::padding},  {"cls_token", &SpecialTokens::cls},
    {"mask_token", &SpecialTokens::mask},    {"eot_token", &SpecialTokens::eot},
};

// Whether the vocabulary puts this token around every text: then it has to stay.
bool is_added_to_texts(const Role& role, const Vocabulary& vocabulary) {
    return (role.token == &SpecialTokens::bos && vocabulary.add_bos.value_or(false)) ||
           (role.token == &SpecialTokens::eos && vocabulary.add_eos.value_or(false));
}

void apply_roles(const Json& config, Vocabulary& vocabulary) {
    for (const Role& role : roles) {
        const std::string_view text = token_text(member(config, role.key));
        const Token token = text.empty() ? no_token : find_token(vocabulary, text);
        if (token == no_token) continue;
        Token& known = vocabulary.special.*role.token;
        if (known == no_token || !is_added_to_texts(role, vocabulary))
            known = token;
        else if (known != token && role.token == &SpecialTokens::eos)
            vocabulary.end_of_generation.push_back(token);
    }
}

// {"0": {"content": "<unk>", ...}, ...}
Status apply_added_decoder(const Json& decoder, Vocabulary& vocabulary) {
    if (!decoder.is_object()) return {};
    for (const auto& [key, added] : decoder.items()) {
        const std::optional<int64_t> id = parse_int(key);
        if (!id)
            return fail(Code::corrupt,
                        "tokenizer_config.json: expected an id in added_tokens_decoder, found ",
                        quoted(key));
        INGLE_TRY(add_token(added, *id, vocabulary));
    }
    return {};
}

// A text, or [{"name": "default", "template": text}, ...].
void apply_chat_template(const Json& json, Vocabulary& vocabulary) {
    if (json.is_string()) vocabulary.chat_template = json.get_ref<const std::string&>();
    if (!json.is_array()) return;
    for (const Json& named : json)
        if (text_member(named, "name") == "default" || vocabulary.chat_template.empty())
            vocabulary.chat_template = text_member(named, "template");
}

void apply_flag(const Json& config, const char* key, std::optional<bool>& flag) {
    if (const Json& value = member(config, key); value.is_boolean()) flag = value.get<bool>();
}

}  // namespace

Status apply_added_tokens(std::string_view text, Vocabulary& vocabulary) {
    INGLE_ASSIGN(const Json json, parse_json(text, "added_tokens.json"));
    if (!json.is_object())
        return fail(Code::corrupt, "added_tokens.json: expected an object of ids, found ",
                    shown(json));
    vocabulary.types.resize(vocabulary.tokens.size(), TokenType::normal);
    for (const auto& [content, id] : json.items()) {
        const int64_t number = id_of(id);
        const bool known = number >= 0 && size_t(number) < vocabulary.tokens.size() &&
                           vocabulary.tokens[size_t(number)] == content;
        if (!known) INGLE_TRY(place(vocabulary, number, content, TokenType::user_defined));
    }
    fill_holes(vocabulary);
    return check(vocabulary);
}

Status apply_tokenizer_config(std::string_view text, Vocabulary& vocabulary) {
    INGLE_ASSIGN(const Json config, parse_json(text, "tokenizer_config.json"));
    vocabulary.types.resize(vocabulary.tokens.size(), TokenType::normal);
    INGLE_TRY(apply_added_decoder(member(config, "added_tokens_decoder"), vocabulary));
    fill_holes(vocabulary);
    apply_roles(config, vocabulary);
    apply_flag(config, "add_bos_token", vocabulary.add_bos);
    apply_flag(config, "add_eos_token", vocabulary.add_eos);
    if (vocabulary.model == "bert") {
        apply_flag(config, "do_lower_case", vocabulary.lowercase);
        apply_flag(config, "strip_accents", vocabulary.strip_accents);
    }
    apply_chat_template(member(config, "chat_template"), vocabulary);
    return check(vocabulary);
}

}  // namespace ingle
