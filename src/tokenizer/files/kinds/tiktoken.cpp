// .tiktoken: lines of "base64 rank". Bytes that have a rank when joined merge, the smallest rank
// first.
#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "tokenizer/byte_letters.h"
#include "tokenizer/files/base64.h"
#include "tokenizer/files/build.h"
#include "tokenizer/files/kind.h"
#include "tokenizer/files/published.h"
#include "tokenizer/files/vocabulary_files.h"

namespace ingle {
namespace {

using namespace files;

Status read_line(std::string_view line, size_t number, std::vector<std::string>& tokens) {
    const size_t space = line.find(' ');
    const auto rank = space == line.npos ? std::nullopt : parse_int(line.substr(space + 1));
    if (!rank || *rank < 0 || *rank >= ids_max)
        return fail(Code::corrupt, "tiktoken: expected \"base64 rank\" in line ", number,
                    ", found ", quoted(line));
    auto bytes = decode_base64(line.substr(0, space));
    if (!bytes.ok()) return std::move(bytes).status().in(cat("tiktoken, line ", number));
    if (size_t(*rank) >= tokens.size()) tokens.resize(size_t(*rank) + 1);
    std::string& token = tokens[size_t(*rank)];
    if (bytes->empty() || !token.empty())
        return fail(Code::corrupt, "tiktoken: line ", number, " has ",
                    bytes->empty() ? "no bytes" : "the rank of another line", ": ", quoted(line));
    token = std::move(*bytes);
    return {};
}

// Every way to make a token of two others, the one of the best parts first.
void append_merges(size_t rank, const std::vector<std::string>& tokens,
                   const std::unordered_map<std::string_view, size_t>& ranks,
                   std::vector<std::string>& merges) {
    const std::string_view bytes = tokens[rank];
    std::vector<std::pair<size_t, size_t>> parts;
    for (size_t cut = 1; cut < bytes.size(); ++cut) {
        const auto left = ranks.find(bytes.substr(0, cut));
        if (left == ranks.end()) continue;
        if (const auto right = ranks.find(bytes.substr(cut)); right != ranks.end())
            parts.emplace_back(left->second, right->second);
    }
    std::sort(parts.begin(), parts.end());
    for (const auto& [left, right] : parts) {
        std::string& merge = merges.emplace_back();
        tokenizer::append_letters(tokens[left], merge);
        merge += ' ';
        tokenizer::append_letters(tokens[right], merge);
    }
}

}  // namespace

Result<Vocabulary> vocabulary_from_tiktoken(std::string_view text) {
    std::vector<std::string> tokens;
    size_t number = 0;
    for (std::string_view line : split(text, '\n')) {
        ++number;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!line.empty()) INGLE_TRY(read_line(line, number, tokens));
    }
    if (tokens.empty()) return fail(Code::corrupt, "tiktoken: no lines");
    std::unordered_map<std::string_view, size_t> ranks;
    for (size_t rank = 0; rank < tokens.size(); ++rank)
        if (!tokens[rank].empty()) ranks.emplace(tokens[rank], rank);
    Vocabulary vocabulary;
    vocabulary.model = "gpt2";
    vocabulary.pre = published_rule(ranks.size());
    vocabulary.ignore_merges = true;
    vocabulary.add_bos = false;
    for (size_t rank = 0; rank < tokens.size(); ++rank) {
        if (tokens[rank].empty()) continue;
        std::string letters;
        tokenizer::append_letters(tokens[rank], letters);
        INGLE_TRY(place(vocabulary, int64_t(rank), letters, TokenType::normal));
        append_merges(rank, tokens, ranks, vocabulary.merges);
    }
    fill_holes(vocabulary);
    INGLE_TRY(check(vocabulary));
    return vocabulary;
}

namespace files::entries {

extern const Kind tiktoken;
const Kind tiktoken{
    .what = "a .tiktoken list",
    .precedence = 3,
    .names = "tokenizer.model *.tiktoken",
    .recognises =
        [](std::string_view bytes) {
            std::vector<std::string> tokens;
            return read_line(bytes.substr(0, bytes.find('\n')), 1, tokens).ok();
        },
    .read = [](std::string_view bytes,
               const std::filesystem::path&) { return vocabulary_from_tiktoken(bytes); },
};

}  // namespace files::entries
}  // namespace ingle
