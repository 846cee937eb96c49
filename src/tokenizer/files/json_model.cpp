#include "tokenizer/files/json_model.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/log.h"
#include "tokenizer/files/build.h"

namespace ingle::files {
namespace {

Status misread(std::string_view where, std::string_view expected, const Json& found) {
    return fail(Code::corrupt, "tokenizer.json: expected ", expected, " in ", where, ", found ",
                shown(found));
}

// {"text": id, ...}
Status read_vocab(const Json& vocab, Vocabulary& vocabulary) {
    if (!vocab.is_object()) return misread("model.vocab", "an object of ids", vocab);
    for (const auto& [text, id] : vocab.items())
        INGLE_TRY(place_new(vocabulary, id_of(id), text, TokenType::normal));
    return {};
}

// The old "left right" or the new ["left", "right"].
Status read_merge(const Json& merge, std::vector<std::string>& merges) {
    if (merge.is_string()) {
        merges.push_back(merge.get_ref<const std::string&>());
        return {};
    }
    if (!merge.is_array() || merge.size() != 2 || !merge[0].is_string() || !merge[1].is_string())
        return misread("model.merges", "\"left right\" or [\"left\", \"right\"]", merge);
    const std::string &left = merge[0].get_ref<const std::string&>(),
                      &right = merge[1].get_ref<const std::string&>();
    // Plain spaces occur in no text that the model sees: such a merge never happens.
    if (left.find(' ') == left.npos && right.find(' ') == right.npos)
        merges.push_back(cat(left, " ", right));
    return {};
}

Status read_merges(const Json& merges, std::vector<std::string>& out) {
    if (!merges.is_array() && !(merges.is_object() && merges.empty()))
        return misread("model.merges", "a list", merges);
    for (const Json& merge : merges) INGLE_TRY(read_merge(merge, out));
    return {};
}

// SentencePiece's scores from the ranks of merges. What no merge makes gets the lowest.
Status score_by_merges(Vocabulary& vocabulary) {
    std::unordered_map<std::string_view, size_t> ids;
    for (size_t id = 0; id < vocabulary.tokens.size(); ++id) ids.emplace(vocabulary.tokens[id], id);
    const float lowest = -float(vocabulary.merges.size()) - 1;
    vocabulary.scores.assign(vocabulary.tokens.size(), lowest);
    std::string joined;
    for (size_t rank = 0; rank < vocabulary.merges.size(); ++rank) {
        const std::string_view line = vocabulary.merges[rank];
        const size_t space = line.find(' ', 1);
        if (space == line.npos)
            return fail(Code::corrupt, "tokenizer.json: expected two parts in merge ", rank,
                        ", found ", quoted(line));
        joined.assign(line.substr(0, space)).append(line.substr(space + 1));
        if (const auto found = ids.find(joined); found != ids.end())
            vocabulary.scores[found->second] =
                std::max(vocabulary.scores[found->second], -float(rank));
    }
    for (size_t id = 0; id < vocabulary.tokens.size(); ++id)
        if (vocabulary.types[id] != TokenType::normal) vocabulary.scores[id] = 0;
    return {};
}

Status mark_unknown(const Json& model, Vocabulary& vocabulary) {
    const std::string_view text = text_member(model, "unk_token");
    if (text.empty()) return {};
    vocabulary.special.unknown = find_token(vocabulary, text);
    if (vocabulary.special.unknown != no_token)
        vocabulary.types[size_t(vocabulary.special.unknown)] = TokenType::unknown;
    return {};
}

Status read_byte_bpe(const Json& model, const Pipeline& pipeline, Vocabulary& vocabulary) {
    INGLE_TRY(check_steps(pipeline, "byte-level BPE", "NFC ByteLevel Split Digits Punctuation"));
    if (pipeline.prefixes_space)
        log(LogLevel::warning,
            "tokenizer.json puts a space before every text; byte-level BPE here does not");
    vocabulary.model = "gpt2";
    vocabulary.ignore_merges = flag_member(model, "ignore_merges", false);
    INGLE_ASSIGN(vocabulary.pre, rule_name(pipeline.patterns, *vocabulary.ignore_merges));
    return {};
}

Status read_escaped_bpe(const Json& model, const Pipeline& pipeline, Vocabulary& vocabulary) {
    INGLE_TRY(
        check_steps(pipeline, "BPE with escaped spaces", "NFC Prepend Replace Metaspace Split"));
    if (!pipeline.patterns.empty())
        return fail(Code::unsupported,
                    "tokenizer.json: BPE with escaped spaces cuts no words here, found ",
                    quoted(pipeline.patterns.front(), 400));
    vocabulary.model = "llama";
    vocabulary.add_space_prefix = pipeline.prefixes_space;
    if (flag_member(model, "byte_fallback", false)) mark_bytes(vocabulary);
    INGLE_TRY(mark_unknown(model, vocabulary));
    return score_by_merges(vocabulary);
}

Status read_bpe(const Json& model, const Pipeline& pipeline, Vocabulary& vocabulary) {
    for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"})
        if (const std::string_view mark = text_member(model, key); !mark.empty())
            return fail(Code::unsupported, "tokenizer.json: BPE with ", key, " ", quoted(mark),
                        " is not supported");
    INGLE_TRY(read_vocab(member(model, "vocab"), vocabulary));
    INGLE_TRY(read_merges(member(model, "merges"), vocabulary.merges));
    if (pipeline.bytes_as_letters) return read_byte_bpe(model, pipeline, vocabulary);
    if (pipeline.escapes_spaces) return read_escaped_bpe(model, pipeline, vocabulary);
    INGLE_TRY(check_steps(pipeline, "BPE", "ByteLevel Metaspace Replace"));
    return fail(Code::unsupported,
                "tokenizer.json: expected BPE over bytes (step ByteLevel) or with escaped "
                "spaces (Metaspace or Replace), found neither");
}

Status read_word_piece(const Json& model, const Pipeline& pipeline, Vocabulary& vocabulary) {
    INGLE_TRY(check_steps(pipeline, "WordPiece",
                          "BertNormalizer NFC NFD Lowercase StripAccents "
                          "BertPreTokenizer Whitespace WhitespaceSplit Punctuation"));
    const std::string_view prefix = text_member(model, "continuing_subword_prefix");
    if (prefix != "##" && !prefix.empty())
        return fail(Code::unsupported,
                    "tokenizer.json: expected the WordPiece prefix \"##\", found ", quoted(prefix));
    INGLE_TRY(read_vocab(member(model, "vocab"), vocabulary));
    vocabulary.model = "bert";
    vocabulary.lowercase = pipeline.lowercase.value_or(false);
    vocabulary.strip_accents = pipeline.strip_accents.value_or(*vocabulary.lowercase);
    return mark_unknown(model, vocabulary);
}

// [["text", score], ...]
Status read_unigram(const Json& model, const Pipeline& pipeline, Vocabulary& vocabulary) {
    INGLE_TRY(check_steps(pipeline, "Unigram", "Precompiled Replace Metaspace WhitespaceSplit"));
    const Json& vocab = member(model, "vocab");
    if (!vocab.is_array()) return misread("model.vocab", "a list of texts and scores", vocab);
    for (const Json& entry : vocab) {
        if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() ||
            !entry[1].is_number())
            return misread("model.vocab", "[\"text\", score]", entry);
        INGLE_TRY(place(vocabulary, int64_t(vocabulary.tokens.size()),
                        entry[0].get_ref<const std::string&>(), TokenType::normal));
        const double score = entry[1].get<double>();
        if (!(std::abs(score) < 1e30)) return misread("model.vocab", "a finite score", entry);
        vocabulary.scores.resize(vocabulary.tokens.size());
        vocabulary.scores.back() = float(score);
    }
    vocabulary.model = "t5";
    vocabulary.precompiled_charsmap = pipeline.charsmap;
    vocabulary.add_space_prefix = pipeline.prefixes_space;
    vocabulary.remove_extra_whitespaces = pipeline.joins_spaces;
    if (flag_member(model, "byte_fallback", false)) mark_bytes(vocabulary);
    const int64_t unknown = id_of(member(model, "unk_id"));
    if (unknown >= 0 && uint64_t(unknown) < vocabulary.tokens.size()) {
        vocabulary.special.unknown = Token(unknown);
        vocabulary.types[size_t(unknown)] = TokenType::unknown;
    }
    return {};
}

struct ModelKind {
    std::string_view type;
    const char* mark;  // a member that files have which do not name their type
    Status (*read)(const Json&, const Pipeline&, Vocabulary&);
};

constexpr ModelKind model_kinds[] = {
    {"BPE", "merges", read_bpe},
    {"WordPiece", "max_input_chars_per_word", read_word_piece},
    {"Unigram", "unk_id", read_unigram},
};

}  // namespace

Result<Vocabulary> read_json_model(const Json& model, const Pipeline& pipeline) {
    if (!model.is_object()) return misread("model", "an object", model);
    const std::string_view type = text_member(model, "type");
    for (const ModelKind& kind : model_kinds) {
        if (type.empty() ? !model.contains(kind.mark) : kind.type != type) continue;
        Vocabulary vocabulary;
        INGLE_TRY(kind.read(model, pipeline, vocabulary));
        return vocabulary;
    }
    return fail(Code::unsupported,
                "tokenizer.json: expected a model of type BPE, WordPiece or Unigram, found ",
                type.empty() ? "none" : quoted(type));
}

}  // namespace ingle::files
