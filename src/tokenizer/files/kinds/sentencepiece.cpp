// SentencePiece's ModelProto:
//   1 pieces { 1 text  2 score f32  3 type }   2 trainer { 3 model type  24 suffix  35 byte
//   fallback 40 unk  41 bos  42 eos  43 pad }   3 normalizer { 2 charsmap  3 dummy prefix  4 joins
//   spaces  5 escapes }
#include "tokenizer/files/sentencepiece.h"

#include <bit>

#include "base/log.h"
#include "tokenizer/files/kind.h"
#include "tokenizer/files/build.h"
#include "tokenizer/files/protobuf.h"

namespace ingle {
namespace {

using namespace files;

// Calls `use(field)` for every field of a message.
template <class Use>
Status for_each_field(std::string_view message, std::string_view what, const Use& use) {
    MessageReader reader(message);
    while (!reader.at_end()) {
        auto field = reader.next();
        if (!field.ok()) return std::move(field).status().in(what);
        INGLE_TRY(use(*field));
    }
    return {};
}

Status read_piece(std::string_view message, Vocabulary& vocabulary) {
    const size_t id = vocabulary.tokens.size();
    std::string_view text;
    float score = 0;
    uint64_t type = uint64_t(TokenType::normal);
    INGLE_TRY(for_each_field(message, cat("SentencePiece model: piece ", id),
                             [&](const Field& field) -> Status {
                                 if (field.number == 1 && field.is_bytes) text = field.bytes;
                                 if (field.number == 2 && !field.is_bytes)
                                     score = std::bit_cast<float>(uint32_t(field.value));
                                 if (field.number == 3 && !field.is_bytes) type = field.value;
                                 return {};
                             }));
    if (text.empty()) return fail(Code::corrupt, "SentencePiece model: piece ", id, " has no text");
    if (type < uint64_t(TokenType::normal) || type > uint64_t(TokenType::byte))
        return fail(Code::corrupt, "SentencePiece model: piece ", id,
                    ": expected a type from 1 to 6, found ", type);
    INGLE_TRY(place(vocabulary, int64_t(id), text, TokenType(type)));
    vocabulary.scores.resize(id + 1);
    vocabulary.scores.back() = score;
    return {};
}

struct Trainer {
    uint64_t model_type = 1;
    bool space_is_suffix = false;
    int64_t unknown = 0, bos = 1, eos = 2, padding = -1;
};

Result<Trainer> read_trainer(std::string_view message) {
    Trainer trainer;
    INGLE_TRY(for_each_field(message, "SentencePiece model: trainer settings",
                             [&](const Field& field) -> Status {
                                 if (field.is_bytes) return {};
                                 // Negative ids are written as 64-bit numbers.
                                 const int64_t id = int32_t(uint32_t(field.value));
                                 if (field.number == 3) trainer.model_type = field.value;
                                 if (field.number == 24) trainer.space_is_suffix = field.value != 0;
                                 if (field.number == 40) trainer.unknown = id;
                                 if (field.number == 41) trainer.bos = id;
                                 if (field.number == 42) trainer.eos = id;
                                 if (field.number == 43) trainer.padding = id;
                                 return {};
                             }));
    return trainer;
}

Status read_normalizer(std::string_view message, Vocabulary& vocabulary) {
    bool escapes = true;
    INGLE_TRY(for_each_field(message, "SentencePiece model: normalizer settings",
                             [&](const Field& field) -> Status {
                                 if (field.number == 2 && field.is_bytes)
                                     vocabulary.precompiled_charsmap = field.bytes;
                                 if (field.is_bytes) return {};
                                 if (field.number == 3)
                                     vocabulary.add_space_prefix = field.value != 0;
                                 if (field.number == 4)
                                     vocabulary.remove_extra_whitespaces = field.value != 0;
                                 if (field.number == 5) escapes = field.value != 0;
                                 return {};
                             }));
    if (!escapes)
        return fail(Code::unsupported,
                    "SentencePiece models that do not escape spaces are not supported");
    return {};
}

// A role is that of a control or unknown piece; ids of nothing else count.
Token role_of(int64_t id, const Vocabulary& vocabulary) {
    if (id < 0 || uint64_t(id) >= vocabulary.tokens.size()) return no_token;
    const TokenType type = vocabulary.types[size_t(id)];
    return type == TokenType::control || type == TokenType::unknown ? Token(id) : no_token;
}

Status apply_trainer(const Trainer& trainer, Vocabulary& vocabulary) {
    constexpr std::string_view names[] = {"", "unigram", "BPE", "word", "character"};
    if (trainer.model_type != 1 && trainer.model_type != 2)
        return fail(Code::unsupported, "SentencePiece model: expected unigram or BPE, found type ",
                    trainer.model_type,
                    trainer.model_type < 5 ? cat(" (", names[trainer.model_type], ")") : "");
    if (trainer.space_is_suffix)
        return fail(Code::unsupported,
                    "SentencePiece models with spaces after words are not supported");
    vocabulary.model = trainer.model_type == 1 ? "t5" : "llama";
    if (trainer.model_type == 2 && !vocabulary.precompiled_charsmap.empty())
        log(LogLevel::warning,
            "SentencePiece model: BPE here does not normalize texts, but the file asks for it");
    vocabulary.special.unknown = role_of(trainer.unknown, vocabulary);
    vocabulary.special.bos = role_of(trainer.bos, vocabulary);
    vocabulary.special.eos = role_of(trainer.eos, vocabulary);
    vocabulary.special.padding = role_of(trainer.padding, vocabulary);
    return {};
}

}  // namespace

Result<Vocabulary> vocabulary_from_sentencepiece(std::string_view bytes) {
    Vocabulary vocabulary;
    vocabulary.add_space_prefix = true;
    vocabulary.remove_extra_whitespaces = true;
    Trainer trainer;
    INGLE_TRY(for_each_field(bytes, "SentencePiece model", [&](const Field& field) -> Status {
        if (!field.is_bytes) return {};
        if (field.number == 1) return read_piece(field.bytes, vocabulary);
        if (field.number == 3) return read_normalizer(field.bytes, vocabulary);
        if (field.number != 2) return {};
        INGLE_ASSIGN(trainer, read_trainer(field.bytes));
        return {};
    }));
    if (vocabulary.tokens.empty()) return fail(Code::corrupt, "SentencePiece model: no pieces");
    INGLE_TRY(apply_trainer(trainer, vocabulary));
    INGLE_TRY(check(vocabulary));
    return vocabulary;
}

void renumber_as_fairseq(Vocabulary& vocabulary) {
    Vocabulary old = std::move(vocabulary);
    vocabulary = old;
    vocabulary.tokens = {"<s>", "<pad>", "</s>", "<unk>"};
    vocabulary.types = {TokenType::control, TokenType::control, TokenType::control,
                        TokenType::unknown};
    vocabulary.scores.assign(4, 0.0f);
    for (size_t id = 3; id < old.tokens.size(); ++id) {
        vocabulary.tokens.push_back(std::move(old.tokens[id]));
        vocabulary.types.push_back(old.types[id]);
        vocabulary.scores.push_back(old.scores[id]);
    }
    vocabulary.tokens.emplace_back("<mask>");
    vocabulary.types.push_back(TokenType::control);
    vocabulary.scores.push_back(0);
    vocabulary.special = {.bos = 0, .eos = 2, .unknown = 3, .separator = 2, .padding = 1, .cls = 0,
                          .mask = Token(vocabulary.tokens.size()) - 1};
    vocabulary.add_bos = true;
    vocabulary.add_eos = true;
}

namespace files::entries {

extern const Kind sentencepiece;
const Kind sentencepiece{
    .what = "a SentencePiece model",
    .precedence = 2,
    .names = "tokenizer.model sentencepiece.bpe.model spiece.model *.model",
    // The first field is the first piece, and that begins with its text.
    .recognises = [](std::string_view bytes) {
        MessageReader file(bytes);
        if (!bytes.starts_with('\n')) return false;
        const auto field = file.next();
        return field.ok() && field->is_bytes && field->bytes.starts_with('\n');
    },
    .read = [](std::string_view bytes, const std::filesystem::path& path) -> Result<Vocabulary> {
        INGLE_ASSIGN(Vocabulary vocabulary, vocabulary_from_sentencepiece(bytes));
        if (path.filename() == "sentencepiece.bpe.model" && vocabulary.model == "t5")
            renumber_as_fairseq(vocabulary);
        return vocabulary;
    },
};

}  // namespace files::entries
}  // namespace ingle
