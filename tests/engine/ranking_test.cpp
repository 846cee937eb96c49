// A model that ranks: the score of its head, against logits of the reference implementation. Two rows of the output
// matrix make a head whose values are two of those logits, which is how Qwen3-Reranker's head was made.
#include "engine/ranking_head.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/engine.h"
#include "gguf/writer.h"
#include "support/engine_run.h"

namespace ingle {

namespace {

using Json = nlohmann::json;
constexpr size_t yes = 11, no = 300;

std::filesystem::path folder() { return test::fixtures() / "arch/qwen3"; }

// The model with a head of these rows of its output matrix.
void write_ranker(const std::filesystem::path& path, const std::vector<size_t>& rows, uint64_t columns_off = 0) {
    auto file = gguf::File::open(folder() / "model.gguf");
    ASSERT_OK(file);
    const gguf::TensorInfo* output = file->find_tensor("output.weight");
    if (output == nullptr) output = file->find_tensor("token_embd.weight");
    ASSERT_NE(output, nullptr);
    std::vector<gguf::TensorSpec> specs;
    for (const gguf::TensorInfo& tensor : file->tensors())
        specs.push_back({tensor.name, tensor.type_id, {tensor.shape().begin(), tensor.shape().end()}});
    const uint64_t columns = output->dims[0];
    specs.push_back({"cls.output.weight", 0, {columns - columns_off, rows.size()}});
    auto writer = gguf::Writer::create(path, file->metadata(), specs);
    ASSERT_OK(writer);
    for (const gguf::TensorInfo& tensor : file->tensors()) ASSERT_OK(writer->append(file->bytes(tensor)));
    const size_t row_bytes = size_t(columns) * sizeof(float);
    for (const size_t row : rows)
        ASSERT_OK(writer->append(file->bytes(*output).subspan(row * row_bytes, row_bytes - columns_off * sizeof(float))));
    ASSERT_OK(writer->finish());
}

class Ranking : public testing::Test {
  protected:
    void SetUp() override {
        INGLE_NEEDS(folder() / "golden.json");
        const Json golden = Json::parse(test::bytes_of(folder() / "golden.json"));
        tokens = golden["inputs"]["a"].get<std::vector<Token>>();
        const auto logits = test::array_of<float>(folder() / "logits.f32");
        const size_t vocab = logits.size() / tokens.size();
        last = {logits.end() - std::ptrdiff_t(vocab), logits.end()};
        path = std::filesystem::temp_directory_path() / ("ingle-ranker-" + std::to_string(::getpid()) + ".gguf");
    }
    void TearDown() override { std::filesystem::remove(path); }

    test::Collected score(Pooling pooling = Pooling::rank) {
        auto model = Model::load(Runtime::make({.threads = 1, .reference = true}), {.path = path, .progress = {}});
        EXPECT_OK(model);
        EngineOptions options;
        options.context_tokens = 64;
        options.key_type = options.value_type = KvType::f32;
        auto engine = Engine::open(*model, options);
        EXPECT_OK(engine);
        EmbeddingRequest request;
        request.input = tokens;
        request.pooling = pooling;
        return test::collect(*(*engine)->submit(request));
    }

    std::vector<Token> tokens;
    std::vector<float> last;
    std::filesystem::path path;
};

}  // namespace

TEST_F(Ranking, two_labels_give_the_probability_of_the_first) {
    write_ranker(path, {yes, no});
    const auto got = score();
    ASSERT_OK(got.status);
    ASSERT_EQ(got.embedding.values.size(), 1u);
    const double expected = 1 / (1 + std::exp(double(last[no]) - double(last[yes])));
    EXPECT_NEAR(got.embedding.values[0], expected, 1e-5);
    EXPECT_EQ(got.embedding.tokens, int64_t(tokens.size()));
}

TEST_F(Ranking, one_label_gives_its_value) {
    write_ranker(path, {yes});
    const auto got = score();
    ASSERT_OK(got.status);
    EXPECT_NEAR(got.embedding.values.at(0), last[yes], 1e-4);
}

TEST_F(Ranking, without_a_head_it_is_refused_and_a_wrong_one_is_no_model) {
    std::filesystem::copy_file(folder() / "model.gguf", path);
    EXPECT_EQ(score().status.code(), Code::unsupported);
    std::filesystem::remove(path);
    write_ranker(path, {yes}, 1);
    const auto model = Model::load(Runtime::make({.threads = 1}), {.path = path, .progress = {}});
    ASSERT_FALSE(model.ok());
    EXPECT_NE(model.status().message().find("cls.output.weight"), std::string::npos) << model.status().message();
}

}  // namespace ingle
