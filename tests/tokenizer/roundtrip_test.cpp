// Any bytes come back, whole or in a stream. Rows 10 and 28 of the bug reports.
#include "base/random.h"
#include "base/utf8.h"
#include "tokenizer/byte_letters.h"
#include "tokenizer/support.h"

namespace ingle::test {
namespace {

using Ids = std::vector<Token>;

// The bytes that a vocabulary can write: some have no token for bytes that their training text
// lacked.
std::string usable_bytes(const Tokenizer& tokenizer) {
    std::string usable;
    for (int value = 0; value < 256; ++value) {
        const std::string byte(1, char(value));
        const bool written = tokenizer.decode(tokenizer.encode(byte)) == byte;
        std::string letter;
        tokenizer::append_letters(byte, letter);
        const Token token = tokenizer.find(letter);  // DeepSeek has "À" as a text of its own
        EXPECT_TRUE(written || token == no_token ||
                    tokenizer.type(token) == TokenType::user_defined)
            << value;
        if (written) usable += byte;
    }
    EXPECT_GT(usable.size(), 200u);
    return usable;
}

std::string random_bytes(Random& random, std::string_view usable, bool ascii) {
    std::string text(random.below(80), ' ');
    for (char& byte : text) {
        const uint64_t kind = random.below(4);
        byte = kind == 0   ? ' '
               : kind == 1 ? char('a' + random.below(26))
                           : usable[random.below(ascii ? 100 : uint32_t(usable.size()))];
    }
    return text;
}

class RoundTrip : public testing::TestWithParam<const char*> {};

TEST_P(RoundTrip, any_bytes_come_back_from_their_tokens) {
    INGLE_NEEDS(fixtures() / GetParam());
    const auto tokenizer = tokenizer_of(fixtures() / GetParam());
    ASSERT_TRUE(tokenizer);
    const std::string usable = usable_bytes(*tokenizer);
    Random random(11);
    for (int round = 0; round < 2000; ++round) {
        const std::string text = random_bytes(random, usable, round % 2 == 0);
        for (const bool trusted : {false, true}) {
            const Ids ids = tokenizer->encode(text, {true, trusted});
            EXPECT_EQ(tokenizer->decode(ids), text) << quoted(text);
        }
    }
}

TEST_P(RoundTrip, a_stream_gives_what_decoding_gives_in_whole_characters) {
    INGLE_NEEDS(fixtures() / GetParam());
    const auto tokenizer = tokenizer_of(fixtures() / GetParam());
    ASSERT_TRUE(tokenizer);
    const std::string usable = usable_bytes(*tokenizer);
    Random random(12);
    for (int round = 0; round < 500; ++round) {
        const std::string text = random_bytes(random, usable, false) + "🦙é字" +
                                 random_bytes(random, usable, round % 2 == 0);
        Detokenizer stream(*tokenizer, false, true);
        std::string streamed;
        for (const Token token : tokenizer->encode(text)) {
            const std::string part = stream.push(token);
            EXPECT_TRUE(utf8::valid(part));
            streamed += part;
        }
        streamed += stream.flush();
        EXPECT_EQ(streamed, utf8::replace_invalid(text));
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, RoundTrip,
    testing::Values("vocab/ggml-vocab-llama-bpe.gguf", "vocab/ggml-vocab-llama-spm.gguf",
                    "vocab/ggml-vocab-qwen2.gguf", "vocab/ggml-vocab-gpt-2.gguf",
                    "vocab/ggml-vocab-gpt-neox.gguf", "vocab/ggml-vocab-falcon.gguf",
                    "vocab/ggml-vocab-starcoder.gguf", "vocab/ggml-vocab-deepseek-llm.gguf",
                    "vocab/ggml-vocab-deepseek-coder.gguf", "vocab/ggml-vocab-baichuan.gguf",
                    "models/stories260K.gguf", "arch/gemma3_text/model.gguf",
                    "arch/gemma4/model.gguf", "arch/glm4/model.gguf", "arch/llama/model.gguf"));

// Row 10.
TEST(HalfCharacters, are_encoded_as_the_reference_does) {
    INGLE_NEEDS(fixtures() / "vocab/ggml-vocab-llama-bpe.gguf");
    const auto tokenizer = tokenizer_of(fixtures() / "vocab/ggml-vocab-llama-bpe.gguf");
    ASSERT_TRUE(tokenizer);
    EXPECT_EQ(tokenizer->encode("\xe6\xad", {false, true}), Ids{15722});
    EXPECT_EQ(tokenizer->encode("\xe6\xad\xaa", {false, true}), (Ids{15722, 103}));
}

// Row 28: F0 9F | A6 99 is one emoji; a cut character and lone bytes become replacement marks.
TEST(Stream, never_emits_half_a_character) {
    INGLE_NEEDS(fixtures() / "vocab/ggml-vocab-llama-spm.gguf");
    const auto tokenizer = tokenizer_of(fixtures() / "vocab/ggml-vocab-llama-spm.gguf");
    ASSERT_TRUE(tokenizer);
    const auto byte = [&](const char* text) {
        const Token token = tokenizer->find(text);
        EXPECT_NE(token, no_token);
        return token;
    };
    Detokenizer stream(*tokenizer);
    EXPECT_EQ(stream.push(byte("<0xF0>")), "");
    EXPECT_EQ(stream.push(byte("<0x9F>")), "");
    EXPECT_EQ(stream.push(byte("<0xA6>")), "");
    EXPECT_EQ(stream.push(byte("<0x99>")), "🦙");
    EXPECT_EQ(stream.push(byte("<0xF0>")), "");
    EXPECT_EQ(stream.flush(), "\ufffd");
    EXPECT_EQ(stream.flush(), "");
    EXPECT_EQ(stream.push(byte("<0x80>")), "\ufffd");
    EXPECT_EQ(stream.push(byte("<0xED>")),
              "");  // the beginning of a surrogate, which is no character
    EXPECT_EQ(stream.push(byte("<0xA0>")), "\ufffd\ufffd");
    EXPECT_EQ(stream.push(byte("<0x80>")), "\ufffd");
    EXPECT_EQ(stream.push(byte("<0xF0>")), "");
    EXPECT_EQ(stream.push(tokenizer->find("a")),
              "\ufffd"
              "a");
}

TEST(Stream, takes_the_leading_space_off_only_where_a_text_begins) {
    INGLE_NEEDS(fixtures() / "vocab/ggml-vocab-llama-spm.gguf");
    const auto tokenizer = tokenizer_of(fixtures() / "vocab/ggml-vocab-llama-spm.gguf");
    ASSERT_TRUE(tokenizer);
    const Token hello = tokenizer->find("▁Hello");
    Detokenizer begins(*tokenizer, false, true), continues(*tokenizer);
    EXPECT_EQ(begins.push(tokenizer->special().bos), "");
    EXPECT_EQ(begins.push(hello), "Hello");
    EXPECT_EQ(begins.push(hello), " Hello");
    EXPECT_EQ(continues.push(hello), " Hello");
}

TEST(Pieces, control_tokens_are_written_only_on_request_and_foreign_ids_are_empty) {
    INGLE_NEEDS(fixtures() / "vocab/ggml-vocab-llama-spm.gguf");
    const auto tokenizer = tokenizer_of(fixtures() / "vocab/ggml-vocab-llama-spm.gguf");
    ASSERT_TRUE(tokenizer);
    EXPECT_EQ(tokenizer->piece(2), "");
    EXPECT_EQ(tokenizer->piece(2, true), "</s>");
    EXPECT_EQ(tokenizer->piece(-1, true), "");
    EXPECT_EQ(tokenizer->piece(tokenizer->size(), true), "");
    EXPECT_EQ(tokenizer->piece(tokenizer->find("<0x0A>")), "\n");
}

}  // namespace
}  // namespace ingle::test
