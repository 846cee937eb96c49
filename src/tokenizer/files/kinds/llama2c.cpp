// llama2.c's tokenizer.bin: i32 bytes of the longest token, then for each token  f32 score, i32
// bytes, text.
#include <bit>
#include <cstring>

#include "tokenizer/files/build.h"
#include "tokenizer/files/kind.h"
#include "tokenizer/files/vocabulary_files.h"
#include "tokenizer/space_escape.h"

namespace ingle {
namespace {

using namespace files;

constexpr uint32_t token_bytes_max = 4096;

uint32_t word_at(std::string_view bytes, size_t at) {
    uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof(word));
    return word;
}

std::string_view without_line_ends(std::string_view text) {
    const bool framed = text.size() > 2 && text.front() == '\n' && text.back() == '\n';
    return framed ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

Result<Vocabulary> vocabulary_from_llama2c(std::string_view bytes) {
    if (bytes.size() < 4 || word_at(bytes, 0) == 0 || word_at(bytes, 0) > token_bytes_max)
        return fail(Code::corrupt, "tokenizer.bin: expected the size of the longest token, 1 to ",
                    token_bytes_max);
    const uint32_t longest = word_at(bytes, 0);
    Vocabulary vocabulary;
    vocabulary.model = "llama";
    for (size_t at = 4; at < bytes.size();) {
        const size_t id = vocabulary.tokens.size(), left = bytes.size() - at;
        const uint32_t size = left >= 8 ? word_at(bytes, at + 4) : 0;
        if (left < 8 || size > left - 8 || size == 0)
            return fail(Code::corrupt, "tokenizer.bin: token ", id, " at byte ", at,
                        ": expected 1 to ", left < 8 ? 0 : left - 8, " bytes, found ", size);
        const std::string_view text = bytes.substr(at + 8, size);
        std::string escaped;
        tokenizer::append_escaped(id == 1 || id == 2 ? without_line_ends(text) : text, escaped);
        INGLE_TRY(place(vocabulary, int64_t(id), escaped,
                        id > 2 ? TokenType::normal : TokenType::control));
        vocabulary.scores.resize(id + 1);
        vocabulary.scores.back() = std::bit_cast<float>(word_at(bytes, at));
        at += 8 + size;
    }
    if (vocabulary.tokens.size() < 3)
        return fail(Code::corrupt, "tokenizer.bin: expected <unk>, <s>, </s> and more, found ",
                    vocabulary.tokens.size(), " tokens (the longest of ", longest, " bytes)");
    vocabulary.types[0] = TokenType::unknown;
    mark_bytes(vocabulary);
    vocabulary.special = {.bos = 1, .eos = 2, .unknown = 0};
    INGLE_TRY(check(vocabulary));
    return vocabulary;
}

namespace files::entries {

extern const Kind llama2c;
const Kind llama2c{
    .what = "a llama2.c tokenizer",
    .precedence = 7,
    .names = "tokenizer.bin tok*.bin",
    .recognises =
        [](std::string_view bytes) {
            return bytes.size() > 12 && bytes.substr(1, 3) == std::string_view("\0\0\0", 3) &&
                   bytes.substr(12, 5) == "<unk>";
        },
    .read = [](std::string_view bytes,
               const std::filesystem::path&) { return vocabulary_from_llama2c(bytes); },
};

}  // namespace files::entries
}  // namespace ingle
