// vocab.json with merges.txt, encoder.json with vocab.bpe: {"token": id} and one merge a line, best
// first.
#include <algorithm>

#include "base/file.h"
#include "base/text.h"
#include "tokenizer/files/build.h"
#include "tokenizer/files/json.h"
#include "tokenizer/files/kind.h"
#include "tokenizer/files/published.h"
#include "tokenizer/files/vocabulary_files.h"

namespace ingle {
namespace {

using namespace files;

Status read_merges(std::string_view text, std::vector<std::string>& merges) {
    size_t number = 0;
    for (std::string_view line : split(text, '\n')) {
        ++number;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.empty() || (number == 1 && line.starts_with("#version"))) continue;
        const size_t space = line.find(' ', 1);
        if (space == line.npos || space + 1 == line.size() ||
            line.find(' ', space + 1) != line.npos)
            return fail(Code::corrupt, "merge list: expected two parts in line ", number,
                        ", found ", quoted(line));
        merges.emplace_back(line);
    }
    return {};
}

// { "text": 0
bool is_object_of_numbers(std::string_view bytes) {
    constexpr std::string_view blanks = " \t\r\n";
    const auto skip = [&](size_t at) {
        return std::min(bytes.find_first_not_of(blanks, at), bytes.size());
    };
    size_t at = skip(0);
    if (!bytes.substr(at).starts_with('{')) return false;
    at = skip(at + 1);
    if (!bytes.substr(at).starts_with('"')) return false;
    for (++at; at < bytes.size() && bytes[at] != '"'; ++at) at += bytes[at] == '\\';
    at = skip(at + 1);
    if (!bytes.substr(at).starts_with(':')) return false;
    at = skip(at + 1);
    return at < bytes.size() && bytes[at] >= '0' && bytes[at] <= '9';
}

}  // namespace

Result<Vocabulary> vocabulary_from_merge_lists(std::string_view vocab_json,
                                               std::string_view merges) {
    INGLE_ASSIGN(const Json vocab, parse_json(vocab_json, "vocab.json"));
    if (!vocab.is_object())
        return fail(Code::corrupt, "vocab.json: expected an object of ids, found ", shown(vocab));
    Vocabulary vocabulary;
    vocabulary.model = "gpt2";
    for (const auto& [text, id] : vocab.items())
        INGLE_TRY(place_new(vocabulary, id_of(id), text, TokenType::normal));
    vocabulary.pre = published_rule(vocabulary.tokens.size());
    INGLE_TRY(read_merges(merges, vocabulary.merges));
    fill_holes(vocabulary);
    constexpr std::string_view end_of_text = "<|endoftext|>";
    if (const Token token = find_token(vocabulary, end_of_text); token != no_token) {
        vocabulary.types[size_t(token)] = TokenType::control;
        vocabulary.special.bos = vocabulary.special.eos = token;
    }
    vocabulary.add_bos = false;
    INGLE_TRY(check(vocabulary));
    return vocabulary;
}

namespace files::entries {

extern const Kind merge_lists;
const Kind merge_lists{
    .what = "a vocab.json beside its merges.txt",
    .precedence = 4,
    .names = "vocab.json encoder.json",
    .recognises = is_object_of_numbers,
    .read = [](std::string_view bytes, const std::filesystem::path& path) -> Result<Vocabulary> {
        const auto merges_path =
            path.parent_path() / (path.filename() == "encoder.json" ? "vocab.bpe" : "merges.txt");
        INGLE_ASSIGN(const std::string merges, read_file(merges_path));
        return vocabulary_from_merge_lists(bytes, merges);
    },
};

}  // namespace files::entries
}  // namespace ingle
