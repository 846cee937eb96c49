// BERT's vocab.txt: one token a line, its number is its id. "[UNK]" and the like are special.
#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "tokenizer/files/build.h"
#include "tokenizer/files/kind.h"
#include "tokenizer/files/vocabulary_files.h"

namespace ingle {
namespace {

using namespace files;

struct Role {
    std::string_view text;
    Token SpecialTokens::* token;
    TokenType type;
};
constexpr Role roles[] = {
    {"[UNK]", &SpecialTokens::unknown, TokenType::unknown},
    {"[CLS]", &SpecialTokens::cls, TokenType::control},
    {"[SEP]", &SpecialTokens::separator, TokenType::control},
    {"[PAD]", &SpecialTokens::padding, TokenType::control},
    {"[MASK]", &SpecialTokens::mask, TokenType::control},
};

bool has_capital(const std::string& text) {
    return !text.starts_with('[') &&
           std::any_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

}  // namespace

Result<Vocabulary> vocabulary_from_word_list(std::string_view text) {
    Vocabulary vocabulary;
    vocabulary.model = "bert";
    if (text.ends_with('\n')) text.remove_suffix(1);
    for (std::string_view line : split(text, '\n')) {
        if (line.ends_with('\r')) line.remove_suffix(1);
        INGLE_TRY(place(vocabulary, int64_t(vocabulary.tokens.size()), line, TokenType::normal));
    }
    fill_holes(vocabulary);
    for (const Role& role : roles) {
        const Token token = find_token(vocabulary, role.text);
        vocabulary.special.*role.token = token;
        if (token != no_token) vocabulary.types[size_t(token)] = role.type;
    }
    if (vocabulary.special.unknown == no_token)
        return fail(Code::corrupt, "vocab.txt: expected a line \"[UNK]\" among its ",
                    vocabulary.tokens.size());
    vocabulary.lowercase =
        std::none_of(vocabulary.tokens.begin(), vocabulary.tokens.end(), has_capital);
    vocabulary.strip_accents = vocabulary.lowercase;
    INGLE_TRY(check(vocabulary));
    return vocabulary;
}

namespace files::entries {

extern const Kind word_list;
const Kind word_list{
    .what = "a vocab.txt",
    .precedence = 5,
    .names = "vocab.txt",
    .recognises =
        [](std::string_view bytes) {
            return bytes.starts_with("[UNK]") || bytes.find("\n[UNK]") != bytes.npos;
        },
    .read = [](std::string_view bytes,
               const std::filesystem::path&) { return vocabulary_from_word_list(bytes); },
};

}  // namespace files::entries
}  // namespace ingle
