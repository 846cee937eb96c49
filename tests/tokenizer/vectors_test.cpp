// Every published vector: llama.cpp's vocabulary pairs, stories260K, the real models, the tiny
// architectures.
#include <algorithm>
#include <sstream>

#include "tokenizer/support.h"

namespace ingle::test {
namespace {

constexpr std::string_view separator = "\n__ggml_vocab_test__\n";

struct Vector {
    std::string text;
    std::vector<Token> ids;
};

std::vector<Vector> vectors_of(const std::filesystem::path& inputs,
                               const std::filesystem::path& outputs) {
    std::vector<Vector> vectors;
    const std::string texts = bytes_of(inputs);
    std::istringstream lines(bytes_of(outputs));
    for (size_t begin = 0; begin <= texts.size();) {
        const size_t end = std::min(texts.find(separator, begin), texts.size());
        Vector& vector = vectors.emplace_back();
        vector.text = texts.substr(begin, end - begin);
        std::string line;
        std::getline(lines, line);
        std::istringstream numbers(line);
        for (Token id; numbers >> id;) vector.ids.push_back(id);
        begin = end + separator.size();
    }
    // The list ends with a separator and no text.
    if (!vectors.empty() && vectors.back().text.empty()) vectors.pop_back();
    return vectors;
}

void expect_equal(const Tokenizer& tokenizer, const std::vector<Vector>& vectors) {
    EXPECT_GE(vectors.size(), 46u);
    for (const auto& [text, ids] : vectors)
        EXPECT_EQ(tokenizer.encode(text, {.add_special = false, .parse_special = false}), ids)
            << quoted(text, 200);
}

class VocabularyPair : public testing::TestWithParam<const char*> {};

TEST_P(VocabularyPair, gives_the_published_ids) {
    const auto folder = fixtures() / "vocab";
    const std::string name = std::string("ggml-vocab-") + GetParam() + ".gguf";
    INGLE_NEEDS(folder / name);
    const auto tokenizer = tokenizer_of(folder / name);
    ASSERT_TRUE(tokenizer);
    expect_equal(*tokenizer, vectors_of(folder / (name + ".inp"), folder / (name + ".out")));
}

INSTANTIATE_TEST_SUITE_P(All, VocabularyPair,
                         testing::Values("baichuan", "bert-bge", "deepseek-coder", "deepseek-llm",
                                         "falcon", "gpt-2", "gpt-neox", "llama-bpe", "llama-spm",
                                         "phi-3", "qwen2", "starcoder"),
                         [](const auto& parameter) {
                             std::string name = parameter.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(Vectors, stories260k_gives_the_published_ids) {
    INGLE_NEEDS(fixtures() / "models/stories260K.gguf");
    const auto tokenizer = tokenizer_of(fixtures() / "models/stories260K.gguf");
    ASSERT_TRUE(tokenizer);
    const auto golden = fixtures() / "golden/stories260K";
    expect_equal(*tokenizer, vectors_of(golden / "tokenize.inp", golden / "tokenize.out"));
}

void expect_real_model(const std::string& model, const std::string& vectors) {
    const auto path = real_model(model);
    INGLE_NEEDS(path);
    const auto tokenizer = tokenizer_of(path);
    ASSERT_TRUE(tokenizer);
    const auto golden = json_of(fixtures() / "golden/real-models" / vectors);
    ASSERT_GE(golden["cases"].size(), 31u);
    for (const auto& example : golden["cases"]) {
        const std::string text = example["text"];
        const auto ids = [&](const char* key) { return example[key].get<std::vector<Token>>(); };
        EXPECT_EQ(tokenizer->encode(text, {false, false}), ids("ids")) << quoted(text, 200);
        EXPECT_EQ(tokenizer->encode(text, {false, true}), ids("ids_parse_special"))
            << quoted(text, 200);
        EXPECT_EQ(tokenizer->encode(text, {true, true}), ids("ids_add_and_parse_special"))
            << quoted(text, 200);
        EXPECT_EQ(tokenizer->decode(ids("ids")), example["detokenized"].get<std::string>());
    }
}

TEST(Vectors, smollm2_agrees_with_the_recorded_ids_and_texts) {
    expect_real_model("SmolLM2-135M-Instruct.Q4_1.gguf", "smollm2-tokens.json");
}

TEST(Vectors, gemma3_agrees_with_the_recorded_ids_and_texts) {
    expect_real_model("gemma-3-270m-q4_k_m.gguf", "gemma3-tokens.json");
}

TEST(Vectors, every_tiny_architecture_gives_the_reference_ids) {
    INGLE_NEEDS(fixtures() / "arch");
    size_t models = 0;
    for (const auto& entry : std::filesystem::directory_iterator(fixtures() / "arch")) {
        if (!std::filesystem::exists(entry.path() / "model.gguf")) continue;
        const auto golden = json_of(entry.path() / "golden.json");
        const auto tokenizer = tokenizer_of(entry.path() / "model.gguf");
        ASSERT_TRUE(tokenizer);
        for (const auto& sample : golden["tokenizer_samples"]) {
            const std::string text = sample["text"];
            EXPECT_EQ(tokenizer->encode(text), sample["ids"].get<std::vector<Token>>())
                << entry.path().filename() << ": " << quoted(text, 200);
        }
        ++models;
    }
    EXPECT_GE(models, 60u);
}

}  // namespace
}  // namespace ingle::test
