// What the vectors do not reach: each algorithm on small vocabularies, against plain twins where
// there is room for doubt, and vocabularies that contradict themselves.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "base/utf8.h"
#include "tokenizer/charsmap.h"
#include "tokenizer/support.h"

namespace ingle::test {
namespace {

using Ids = std::vector<Token>;

std::unique_ptr<const Tokenizer> made(Vocabulary vocabulary) {
    auto tokenizer = Tokenizer::make(std::move(vocabulary));
    EXPECT_OK(tokenizer);
    return tokenizer.ok() ? std::move(*tokenizer) : nullptr;
}

std::string refusal(Vocabulary vocabulary) {
    auto tokenizer = Tokenizer::make(std::move(vocabulary));
    EXPECT_FALSE(tokenizer.ok());
    return tokenizer.ok() ? "" : tokenizer.status().message();
}

void add_byte_tokens(Vocabulary& vocabulary) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    for (size_t byte = 0; byte < 256; ++byte) {
        vocabulary.tokens.push_back(cat("<0x", digits[byte / 16], digits[byte % 16], ">"));
        vocabulary.types.push_back(TokenType::byte);
        vocabulary.scores.push_back(0);
    }
}

TEST(Rwkv, takes_the_longest_token_and_reads_escapes) {
    Vocabulary vocabulary{.model = "rwkv"};
    vocabulary.tokens = {"<s>",  "a",   "ab", "abc",  "\\n", "\\t", "\\x00", "\\xe5\\xad\\x97",
                         "\\\\", "\\'", "c",  "\\xe5"};
    vocabulary.types.assign(vocabulary.tokens.size(), TokenType::normal);
    vocabulary.types[0] = TokenType::control;
    const auto tokenizer = made(std::move(vocabulary));
    ASSERT_TRUE(tokenizer);
    const std::string text("abcabac\n\t\0字\\'\xe5", 16);
    const Ids ids = tokenizer->encode(text);
    EXPECT_EQ(ids, (Ids{3, 2, 1, 10, 4, 5, 6, 7, 8, 9, 11}));
    EXPECT_EQ(tokenizer->decode(ids), text);
}

TEST(Rwkv, the_world_vocabulary_brings_every_byte_back) {
    const auto path = fixtures() / "tokenizers/rwkv/rwkv_vocab_v20230424.txt";
    INGLE_NEEDS(path);
    Vocabulary vocabulary{.model = "rwkv"};
    vocabulary.tokens = {"<s>"};
    const std::string lines = bytes_of(path);
    for (const std::string_view line : split(lines, '\n')) {
        // ID 'literal' LENGTH; literals of bytes have a b before the quote. Those with \u are left
        // out.
        const size_t begin = line.find_first_of("'\""), end = line.find_last_of("'\"");
        if (begin == line.npos || line.find("\\u") != line.npos) continue;
        std::string text(line.substr(begin + 1, end - begin - 1));
        const bool is_text = line[begin - 1] == ' ';
        const size_t escape = text.find("\\x");
        if (is_text && escape != text.npos && text[escape + 2] >= '8')
            continue;  // no byte: U+0080 on
        vocabulary.tokens.push_back(text);
    }
    EXPECT_GT(vocabulary.tokens.size(), 65000u);
    const auto tokenizer = made(std::move(vocabulary));
    ASSERT_TRUE(tokenizer);
    Random random(5);
    for (int round = 0; round < 300; ++round) {
        std::string text(random.below(60), ' ');
        for (char& byte : text) byte = char(random.below(128));
        EXPECT_EQ(tokenizer->decode(tokenizer->encode(text)), text);
    }
}

// All ways to cut `text` into tokens or single characters; the highest sum of scores.
double best_score(std::string_view text, const Vocabulary& vocabulary, double unknown,
                  double scale) {
    std::vector<double> best(text.size() + 1, -std::numeric_limits<double>::infinity());
    best[text.size()] = 0;
    for (size_t at = text.size(); at-- > 0;) {
        if ((text[at] & 0xc0) == 0x80) continue;
        const size_t character = size_t(utf8::decode(text.substr(at)).length);
        best[at] = unknown + best[at + character];
        for (size_t i = 0; i < vocabulary.tokens.size(); ++i)
            if (vocabulary.types[i] == TokenType::normal &&
                text.substr(at).starts_with(vocabulary.tokens[i]))
                best[at] = std::max(best[at], std::round(double(vocabulary.scores[i]) * scale) +
                                                  best[at + vocabulary.tokens[i].size()]);
    }
    return best[0];
}

Vocabulary random_vocabulary(Random& random, std::string_view model) {
    Vocabulary vocabulary{.model = std::string(model)};
    add_byte_tokens(vocabulary);
    constexpr std::string_view letters[] = {"a", "b", "c", "字"};
    for (int i = 0; i < 30; ++i) {
        std::string text;
        for (uint64_t length = 1 + random.below(4); length > 0; --length)
            text += letters[random.below(4)];
        if (std::find(vocabulary.tokens.begin(), vocabulary.tokens.end(), text) !=
            vocabulary.tokens.end())
            continue;
        vocabulary.tokens.push_back(text);
        vocabulary.types.push_back(TokenType::normal);
        vocabulary.scores.push_back(float(-random.uniform() * 8));
    }
    return vocabulary;
}

TEST(Plamo2, finds_the_segmentation_with_the_highest_score) {
    Random random(21);
    for (int round = 0; round < 200; ++round) {
        const Vocabulary vocabulary = random_vocabulary(random, "plamo2");
        const auto tokenizer = made(vocabulary);
        ASSERT_TRUE(tokenizer);
        std::string text;
        for (uint64_t length = random.below(12); length > 0; --length)
            text += std::string_view("abcd").substr(random.below(4), 1);
        double score = 0;
        const Ids ids = tokenizer->encode(text);
        for (const Token token : ids)
            score +=
                token < 256 ? -1e7 : std::round(double(vocabulary.scores[size_t(token)]) * 1e4);
        EXPECT_EQ(score, best_score(text, vocabulary, -1e7, 1e4)) << text;
        EXPECT_EQ(tokenizer->decode(ids), text);
    }
}

TEST(Plamo2, writes_characters_without_a_token_and_broken_bytes_in_byte_tokens) {
    Random random(22);
    const auto tokenizer = made(random_vocabulary(random, "plamo2"));
    ASSERT_TRUE(tokenizer);
    EXPECT_EQ(tokenizer->encode("é\xff"), (Ids{0xc3, 0xa9, 0xff}));
}

TEST(Unigram, neighbouring_unknown_characters_are_one_token) {
    Vocabulary vocabulary{.model = "t5"};
    vocabulary.tokens = {"<unk>", "</s>", "\u2581", "a", "\u2581a"};
    vocabulary.types = {TokenType::unknown, TokenType::control, TokenType::normal,
                        TokenType::normal, TokenType::normal};
    vocabulary.scores = {0, 0, -2, -3, -1};
    vocabulary.special.eos = 1;
    const auto tokenizer = made(std::move(vocabulary));
    ASSERT_TRUE(tokenizer);
    EXPECT_EQ(tokenizer->encode("a  xyza "), (Ids{4, 2, 0, 3, 1}));
    EXPECT_EQ(tokenizer->encode("   "), Ids{1});
    EXPECT_EQ(tokenizer->encode("\xff\xfe"), (Ids{2, 0, 1}));
}

TEST(Wordpiece, reads_both_spellings_of_a_vocabulary) {
    for (const bool hashes : {false, true}) {
        Vocabulary vocabulary{.model = "bert"};
        vocabulary.tokens =
            hashes ? std::vector<std::string>{"[UNK]", "[CLS]", "[SEP]", "hello", "##ing", "."}
                   : std::vector<std::string>{"[UNK]", "[CLS]", "[SEP]", "▁hello", "ing", "▁."};
        vocabulary.types.assign(6, TokenType::normal);
        for (size_t i = 0; i < 3; ++i) vocabulary.types[i] = TokenType::control;
        vocabulary.special = {.unknown = 0, .separator = 2, .cls = 1};
        const auto tokenizer = made(std::move(vocabulary));
        ASSERT_TRUE(tokenizer);
        EXPECT_EQ(tokenizer->encode("Héllo\u200d HELLOing. ing"), (Ids{1, 3, 3, 4, 5, 0, 2}));
        EXPECT_EQ(tokenizer->encode("hello" + std::string(100, 'x')), (Ids{1, 0, 2}));
        const Ids ids = {1, 3, 3, 4, 5, 2};
        EXPECT_EQ(tokenizer->decode(ids), "hello helloing.");
    }
}

TEST(ByteBpe, a_merge_result_that_is_no_token_is_written_byte_by_byte) {
    Vocabulary vocabulary{.model = "gpt2", .pre = "gpt-2"};
    vocabulary.tokens = {"a", "b", "c", "abc"};
    vocabulary.merges = {"b c", "a b", "ab c"};  // "bc" and "ab" are no tokens
    const auto tokenizer = made(vocabulary);
    ASSERT_TRUE(tokenizer);
    EXPECT_EQ(tokenizer->encode("abc"), (Ids{0, 1, 2}));
    vocabulary.merges = {"a b", "ab c"};
    EXPECT_EQ(made(vocabulary)->encode("abc"), Ids{3});
}

TEST(ByteBpe, a_missing_pre_tokenizer_means_the_default_rule_and_an_unknown_one_is_refused) {
    Vocabulary vocabulary{.model = "gpt2"};
    vocabulary.tokens = {"a"};
    EXPECT_TRUE(made(vocabulary));
    vocabulary.pre = "lama3";
    const std::string message = refusal(vocabulary);
    EXPECT_NE(message.find("lama3"), std::string::npos);
    EXPECT_NE(message.find("llama3"), std::string::npos) << message;
}

TEST(Nothing, a_model_without_vocabulary_has_no_tokens) {
    const auto tokenizer = made({.model = "none"});
    ASSERT_TRUE(tokenizer);
    EXPECT_TRUE(tokenizer->encode("text").empty());
    EXPECT_EQ(tokenizer->decode(Ids{1, 2}), "");
}

TEST(Vocabularies, that_contradict_themselves_are_refused_with_the_reason) {
    EXPECT_NE(refusal({.model = "hybriddna"}).find("hybriddna"), std::string::npos);
    const Vocabulary sound{.model = "gpt2", .pre = "gpt-2", .tokens = {"a", "b"}};
    Vocabulary broken = sound;
    broken.types = {TokenType::normal};
    EXPECT_NE(refusal(broken).find("types"), std::string::npos);
    broken = sound;
    broken.scores = {0, std::numeric_limits<float>::quiet_NaN()};
    EXPECT_NE(refusal(broken).find("token 1"), std::string::npos);
    broken = sound;
    broken.special.bos = 2;
    EXPECT_NE(refusal(broken).find("bos"), std::string::npos);
    broken = sound;
    broken.merges = {"a b", "ab"};
    EXPECT_NE(refusal(broken).find("merge 1"), std::string::npos);
    broken = sound;
    broken.model = "t5";
    broken.precompiled_charsmap = "\xff\xff\xff\xff";
    EXPECT_NE(refusal(broken).find("charsmap"), std::string::npos);
}

TEST(Charsmap, random_tables_are_read_within_their_bounds) {
    Random random(9);
    for (int round = 0; round < 300; ++round) {
        std::string blob(4 + 4 * random.below(60) + random.below(20), '\0');
        for (char& byte : blob) byte = char(random.next());
        const uint32_t bytes = uint32_t(blob.size() - 4) / 4 * 4;
        std::copy_n(reinterpret_cast<const char*>(&bytes), 4, blob.data());
        const auto map = tokenizer::Charsmap::make(blob);
        if (!map.ok()) continue;
        std::string text(1 + random.below(30), ' ');
        for (char& byte : text) byte = char(random.next());
        const auto [replaced, length] = map->replace_prefix(text);
        EXPECT_GT(length, 0u);
        EXPECT_LE(length, text.size());
        EXPECT_LE(replaced.size(), blob.size() + 4);
    }
}

}  // namespace
}  // namespace ingle::test
