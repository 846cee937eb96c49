// Every tokenizer file of the fixtures against the libraries it was made for.
#include "tokenizer/files/read_vocabulary.h"

#include <map>

#include "base/random.h"
#include "tokenizer/byte_letters.h"
#include "tokenizer/files/vocabulary_files.h"
#include "tokenizer/support.h"

namespace ingle::test {
namespace {

using std::filesystem::path;

std::unique_ptr<const Tokenizer> tokenizer_from_files(const path& file_or_folder) {
    auto vocabulary = read_vocabulary(file_or_folder);
    EXPECT_OK(vocabulary);
    if (!vocabulary.ok()) return nullptr;
    auto tokenizer = Tokenizer::make(std::move(*vocabulary));
    EXPECT_OK(tokenizer);
    return tokenizer.ok() ? std::move(*tokenizer) : nullptr;
}

using Ids = std::vector<Token>;

// Goldens of transformers

struct Published {
    const char* tokenizer;  // a file or folder of tokenizers/
    const char* encoded;    // one French text of encoded/, or null
    const char* tests;      // key in tokenizer_tests.json, or null
    bool has_frame = true;  // the files say which tokens stand before and after a text
};

class PublishedIds : public testing::TestWithParam<Published> {};

void expect_ids(const Tokenizer& tokenizer, const std::string& text, Ids ids, bool has_frame) {
    if (!has_frame) ids.erase(ids.begin());
    EXPECT_EQ(tokenizer.encode(text, {.add_special = has_frame, .parse_special = true}), ids)
        << quoted(text, 200);
}

TEST_P(PublishedIds, come_out_of_the_files) {
    const Published& published = GetParam();
    const path folder = fixtures() / "tokenizers";
    INGLE_NEEDS(folder / published.tokenizer);
    const auto tokenizer = tokenizer_from_files(folder / published.tokenizer);
    ASSERT_TRUE(tokenizer);
    if (published.encoded != nullptr) {
        const auto golden = json_of(folder / "encoded" / published.encoded);
        expect_ids(*tokenizer, golden["text"], golden["token_ids"].get<Ids>(), published.has_frame);
    }
    if (published.tests == nullptr) return;
    const auto golden = json_of(folder / "encoded/tokenizer_tests.json")[published.tests];
    ASSERT_GE(golden.size(), 18u);
    for (const auto& example : golden)
        expect_ids(*tokenizer, example["input"], example["encoded"]["input_ids"].get<Ids>(),
                   published.has_frame);
}

INSTANTIATE_TEST_SUITE_P(
    All, PublishedIds,
    testing::Values(
        Published{"bert-base-uncased", "bert_uncased_encoded.json", "bert-base-uncased"},
        Published{"bert-base-uncased/vocab.txt", nullptr, "google-bert/bert-base-uncased"},
        Published{"gpt2", "gpt2_encoded_tokens.json", "distilgpt2"},
        Published{"llama3.2", "llama_3.2_encoded.json", "pcuenq/Llama-3.2-1B-Instruct-tokenizer",
                  false},
        Published{"sentencepiece/llama-tokenizer.model", "llama_encoded.json",
                  "coreml-projects/Llama-2-7b-chat-coreml"},
        Published{"llama2", "llama_encoded.json", nullptr},
        Published{"t5-small", "t5_base_encoded.json", "t5-base"}));

TEST(Files, llama2_gives_the_published_ids_where_its_file_is_whole) {
    const path folder = fixtures() / "tokenizers";
    INGLE_NEEDS(folder / "llama2");
    const auto tokenizer = tokenizer_from_files(folder / "llama2");
    ASSERT_TRUE(tokenizer);
    const auto golden =
        json_of(folder / "encoded/tokenizer_tests.json")["coreml-projects/Llama-2-7b-chat-coreml"];
    for (const auto& example : golden) {
        const std::string text = example["input"];
        // The fixture has plain spaces where Llama 2 has U+00A0.
        if (text.find("\u00a0") == text.npos)
            expect_ids(*tokenizer, text, example["encoded"]["input_ids"].get<Ids>(), true);
    }
}

// transformers tidies English up after decoding, for some tokenizers: no space before a mark.
std::string tidied(std::string text) {
    if (const size_t at = text.find(" !"); at != text.npos) text.erase(at, 1);
    return text;
}

TEST(Files, published_texts_come_back) {
    const path folder = fixtures() / "tokenizers";
    INGLE_NEEDS(folder / "encoded/tokenizer_tests.json");
    const auto golden = json_of(folder / "encoded/tokenizer_tests.json");
    const std::pair<const char*, const char*> pairs[] = {
        {"bert-base-uncased", "bert-base-uncased"},
        {"gpt2", "distilgpt2"},
        {"sentencepiece/llama-tokenizer.model", "coreml-projects/Llama-2-7b-chat-coreml"},
        {"t5-small", "t5-base"},
        {"llama3.2", "pcuenq/Llama-3.2-1B-Instruct-tokenizer"}};
    for (const auto& [name, key] : pairs) {
        const auto tokenizer = tokenizer_from_files(folder / name);
        ASSERT_TRUE(tokenizer);
        for (const auto& example : golden[key]) {
            const std::string text = tokenizer->decode(example["encoded"]["input_ids"].get<Ids>());
            EXPECT_EQ(tidied(text), tidied(example["decoded_without_special"])) << name;
        }
    }
}

// Goldens of tokenizers, sentencepiece and tiktoken

TEST(Files, agree_with_the_libraries_they_were_made_for) {
    const path folder = fixtures() / "tokenizers";
    INGLE_NEEDS(folder);
    const auto golden = json_of(source_dir() / "tests/tokenizer/data/files.json");
    ASSERT_EQ(golden.size(), 12u);
    for (const auto& [name, cases] : golden.items()) {
        const auto tokenizer = tokenizer_from_files(folder / name);
        ASSERT_TRUE(tokenizer) << name;
        // SentencePiece and tiktoken know no added tokens and put nothing around a text.
        const bool is_json = name.ends_with(".json");
        for (const auto& example : cases) {
            const std::string text = example[0];
            EXPECT_EQ(tokenizer->encode(text, {.add_special = is_json, .parse_special = is_json}),
                      example[1].get<Ids>())
                << name << ": " << quoted(text, 200);
        }
    }
}

// The tiny architectures

constexpr const char* vocabulary_names[] = {"tokenizer.json", "tokenizer.model",
                                            "sentencepiece.bpe.model", "vocab.txt"};

TEST(Files, every_tiny_architecture_gives_the_reference_ids) {
    INGLE_NEEDS(fixtures() / "arch");
    size_t checked = 0;
    for (const auto& entry : std::filesystem::directory_iterator(fixtures() / "arch")) {
        if (!std::filesystem::exists(entry.path() / "golden.json")) continue;
        std::vector<path> sources = {entry.path()};
        for (const char* name : vocabulary_names)
            if (std::filesystem::exists(entry.path() / name))
                sources.push_back(entry.path() / name);
        const auto golden = json_of(entry.path() / "golden.json");
        for (const path& source : sources) {
            const auto tokenizer = tokenizer_from_files(source);
            ASSERT_TRUE(tokenizer) << source;
            for (const auto& sample : golden["tokenizer_samples"]) {
                const std::string text = sample["text"];
                EXPECT_EQ(tokenizer->encode(text), sample["ids"].get<Ids>())
                    << source << ": " << quoted(text, 200);
            }
            ++checked;
        }
    }
    EXPECT_GE(checked, 120u);
}

// What a converter made of the same files: texts, types and scores.
void expect_same_tokens(const Vocabulary& ours, const Vocabulary& gguf, const path& source) {
    ASSERT_LE(ours.tokens.size(), gguf.tokens.size()) << source;
    for (size_t id = 0; id < ours.tokens.size(); ++id) {
        if (gguf.types[id] == TokenType::unused)
            continue;  // XLM-RoBERTa's <mask>, which the converter left out
        EXPECT_EQ(ours.tokens[id], gguf.tokens[id]) << source << ": token " << id;
        // The converter calls an unknown token that is special a control token.
        if (ours.types[id] != TokenType::unknown) {
            EXPECT_EQ(int(ours.types[id]), int(gguf.types[id]))
                << source << ": type of " << quoted(ours.tokens[id]);
        }
        if (ours.types[id] == TokenType::normal) {
            EXPECT_EQ(ours.scores[id], gguf.scores[id])
                << source << ": score of " << quoted(ours.tokens[id]);
        }
    }
    EXPECT_EQ(ours.special.bos, gguf.special.bos) << source;
    EXPECT_EQ(ours.special.eos, gguf.special.eos) << source;
}

TEST(Files, sentencepiece_models_hold_what_their_gguf_holds) {
    INGLE_NEEDS(fixtures() / "arch");
    size_t checked = 0;
    for (const auto& entry : std::filesystem::directory_iterator(fixtures() / "arch")) {
        if (!std::filesystem::exists(entry.path() / "model.gguf")) continue;
        for (const char* name : {"tokenizer.model", "sentencepiece.bpe.model"}) {
            if (!std::filesystem::exists(entry.path() / name)) continue;
            const auto ours = read_vocabulary(entry.path() / name);
            const auto gguf = read_vocabulary(entry.path() / "model.gguf");
            ASSERT_OK(ours);
            ASSERT_OK(gguf);
            if (ours->model == gguf->model) expect_same_tokens(*ours, *gguf, entry.path());
            ++checked;
        }
    }
    EXPECT_GE(checked, 14u);
}

// Other files

TEST(Files, llama2c_tokenizer_equals_the_vocabulary_of_its_model) {
    const path folder = fixtures() / "models";
    INGLE_NEEDS(folder / "tok512.bin");
    const auto list = read_vocabulary(folder / "tok512.bin");
    const auto gguf = read_vocabulary(folder / "stories260K.gguf");
    ASSERT_OK(list);
    ASSERT_OK(gguf);
    EXPECT_EQ(list->model, gguf->model);
    EXPECT_EQ(list->tokens, gguf->tokens);
    EXPECT_EQ(list->types, gguf->types);
    EXPECT_EQ(list->scores, gguf->scores);
    EXPECT_EQ(list->special.bos, gguf->special.bos);
    EXPECT_EQ(list->special.eos, gguf->special.eos);
}

TEST(Files, added_tokens_keep_the_ids_of_their_file) {
    const path folder = fixtures() / "tokenizers/added-tokens";
    INGLE_NEEDS(folder);
    const auto tokenizer = tokenizer_from_files(folder);
    ASSERT_TRUE(tokenizer);
    const auto file = json_of(folder / "tokenizer.json");
    for (const auto& added : file["added_tokens"]) {
        const Token id = added["id"];
        EXPECT_EQ(tokenizer->encode(added["content"].get<std::string>(), {false, true}), Ids{id});
    }
    EXPECT_EQ(tokenizer->encode("<|user|>\n<|end|>", {false, true}), (Ids{32010, 0, 13, 32007}));
    EXPECT_EQ(tokenizer->find("[PAD20000]"), 20000);
    EXPECT_EQ(tokenizer->type(20000), TokenType::unused);
    EXPECT_EQ(tokenizer->special().eos, 32000);
    EXPECT_TRUE(tokenizer->is_end_of_generation(32007));
    const path mini = fixtures() / "tokenizers/mini_llama/tokenizer.json";
    const auto mini_llama = tokenizer_from_files(mini);
    ASSERT_TRUE(mini_llama);
    const std::string text = "<|begin_of_text|>system\nYou are concise.<|end_of_text|>";
    const Ids ids = mini_llama->encode(text);
    EXPECT_EQ(ids.front(), 128000);
    EXPECT_EQ(ids.back(), 128001);
    EXPECT_EQ(mini_llama->decode(ids, true), text);
}

TEST(Files, a_bpe_that_neither_spells_bytes_nor_escapes_spaces_is_refused_by_name) {
    const path folder = fixtures() / "tokenizers/swift-small";
    INGLE_NEEDS(folder);
    const auto vocabulary = read_vocabulary(folder);
    ASSERT_FALSE(vocabulary.ok());
    EXPECT_EQ(vocabulary.status().code(), Code::unsupported);
    EXPECT_NE(vocabulary.status().message().find("'Lowercase'"), std::string::npos)
        << vocabulary.status().message();
}

TEST(Files, rwkv_takes_the_longest_token_and_gives_back_any_bytes) {
    const path file = fixtures() / "tokenizers/rwkv/rwkv_vocab_v20230424.txt";
    INGLE_NEEDS(file);
    const auto tokenizer = tokenizer_from_files(file);
    ASSERT_TRUE(tokenizer);
    ASSERT_EQ(tokenizer->size(), 65530);
    std::map<std::string, Token> ids;
    for (Token token = 1; token < tokenizer->size(); ++token)
        ids.emplace(tokenizer->piece(token), token);
    ASSERT_EQ(ids.size(), 65529u);  // no two literals mean the same bytes
    Random random(1);
    const std::string sample = bytes_of(fixtures() / "tokenizers/texts/long.txt");
    for (int round = 0; round < 50; ++round) {
        std::string text = sample.substr(size_t(random.below(uint32_t(sample.size()))), 60);
        for (int i = 0; i < 20; ++i)
            text.insert(size_t(random.below(uint32_t(text.size() + 1))), 1,
                        char(random.below(256)));
        Ids expected;
        for (size_t at = 0; at < text.size();) {
            size_t length = std::min<size_t>(text.size() - at, 128);
            while (!ids.contains(text.substr(at, length))) --length;
            expected.push_back(ids.at(text.substr(at, length)));
            at += length;
        }
        EXPECT_EQ(tokenizer->encode(text, {false, false}), expected) << quoted(text, 400);
        EXPECT_EQ(tokenizer->decode(expected), text);
    }
}

std::string base64_of(std::string_view bytes) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (size_t i = 0; i < bytes.size(); i += 3) {
        const auto at = [&](size_t k) {
            return k < bytes.size() ? uint32_t(uint8_t(bytes[k])) : 0u;
        };
        const uint32_t bits = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
        for (size_t k = 0; k < 4; ++k)
            out += i + k > bytes.size() ? '=' : digits[bits >> (18 - 6 * k) & 63];
    }
    return out;
}

TEST(Files, ranks_give_the_merges_that_llama3_was_published_with) {
    const path folder = fixtures() / "tokenizers/llama3.2";
    INGLE_NEEDS(folder);
    const auto published = read_vocabulary(folder);
    ASSERT_OK(published);
    ASSERT_EQ(published->merges.size(), 280147u);
    std::string ranks;
    for (size_t rank = 0; rank < published->tokens.size(); ++rank) {
        std::string bytes;
        tokenizer::append_bytes(published->tokens[rank], bytes);
        ranks += cat(base64_of(bytes), " ", rank, "\n");
    }
    const auto vocabulary = vocabulary_from_tiktoken(ranks);
    ASSERT_OK(vocabulary);
    EXPECT_EQ(vocabulary->pre, published->pre);
    EXPECT_EQ(vocabulary->ignore_merges, true);
    EXPECT_TRUE(vocabulary->tokens == published->tokens);
    EXPECT_TRUE(vocabulary->merges == published->merges);
}

TEST(Files, scores_made_of_merges_cut_as_the_merges_do) {
    const path folder = fixtures() / "tokenizers";
    INGLE_NEEDS(folder / "phi-3-mini");
    auto by_scores = read_vocabulary(folder / "phi-3-mini");
    ASSERT_OK(by_scores);
    Vocabulary by_merges = *by_scores;
    by_merges.model = "gemma4";
    const auto scores = Tokenizer::make(std::move(*by_scores));
    const auto merges = Tokenizer::make(std::move(by_merges));
    ASSERT_OK(scores);
    ASSERT_OK(merges);
    const std::string text = bytes_of(fixtures() / "tokenizers/texts/long.txt");
    EXPECT_EQ((*scores)->encode(text, {false, false}), (*merges)->encode(text, {false, false}));
    Random random(2);
    for (int round = 0; round < 200; ++round) {
        std::string letters;
        for (int i = 0; i < 60; ++i) letters += "aaeinrst  l\ncd"[random.below(14)];
        EXPECT_EQ((*scores)->encode(letters, {false, false}),
                  (*merges)->encode(letters, {false, false}))
            << quoted(letters, 100);
    }
}

}  // namespace
}  // namespace ingle::test
