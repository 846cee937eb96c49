// A row's logits are the same bits whatever the chunking of the prompt, the number of threads or of outputs.
#include <gtest/gtest.h>

#include "engine/session.h"
#include "support/fixtures.h"

namespace ingle {

namespace {

struct Way {
    int threads;
    int64_t chunk;
    int64_t outputs;
};

std::vector<float> logits(const std::filesystem::path& path, std::span<const Token> tokens,
                          const Way& way, KvType kv) {
    auto model = Model::load(Runtime::make({.threads = way.threads}),
                             {.path = path, .progress = {}, .without_tokenizer = true});
    EXPECT_OK(model);
    SessionOptions options;
    options.chunk_tokens = way.chunk;
    options.outputs_max = way.outputs;
    options.context_tokens = 256;
    options.key_type = options.value_type = kv;
    auto session = Session::open(*model, options);
    EXPECT_OK(session);
    std::vector<float> all;
    EXPECT_OK((*session)->evaluate(tokens, [&](int64_t, std::span<const float> row) {
        all.insert(all.end(), row.begin(), row.end());
        return Status();
    }));
    return all;
}

// The logits of the last token only, from one feed in chunks.
std::vector<float> last_logits(const std::filesystem::path& path, std::span<const Token> tokens,
                               const Way& way, KvType kv) {
    auto model = Model::load(Runtime::make({.threads = way.threads}),
                             {.path = path, .progress = {}, .without_tokenizer = true});
    EXPECT_OK(model);
    SessionOptions options;
    options.chunk_tokens = way.chunk;
    options.context_tokens = 256;
    options.key_type = options.value_type = kv;
    auto session = Session::open(*model, options);
    EXPECT_OK(session);
    EXPECT_OK((*session)->feed(tokens));
    const auto row = (*session)->logits();
    return {row.begin(), row.end()};
}

class InvarianceTest : public testing::TestWithParam<std::string> {};

std::filesystem::path path_of(const std::string& name) {
    if (name.find(".gguf") == std::string::npos)
        return test::fixtures() / "arch" / name / "model.gguf";
    if (name.find("tiny-llama") == 0) return test::fixtures() / "quant-models" / name;
    return test::real_model(name);
}

TEST_P(InvarianceTest, every_way_gives_the_same_bits) {
    const auto path = path_of(GetParam());
    INGLE_NEEDS(path);
    std::vector<Token> tokens;
    for (int i = 0; i < 75; ++i) tokens.push_back(Token((i * 37 + 11) % 250));
    // A model of real size takes its time: there the two types that are used most.
    const bool is_large = std::filesystem::file_size(path) > (10 << 20);
    for (const KvTypeInfo& type : all_kv_types()) {
        const KvType kv = type.type;
        if (is_large && kv != KvType::f16 && kv != KvType::q8_0) continue;
        const auto expected = logits(path, tokens, {1, 1, 1}, kv);
        const size_t vocab = expected.size() / tokens.size();
        for (const Way way : {Way{2, 75, 75}, Way{1, 32, 32}, Way{2, 7, 3}, Way{3, 50, 20}})
            ASSERT_TRUE(logits(path, tokens, way, kv) == expected)
                << type.name << ", " << way.threads << " threads, chunks of " << way.chunk << ", outputs " << way.outputs;
        for (const Way way : {Way{2, 75, 1}, Way{1, 33, 1}}) {
            const std::vector<float> last(expected.end() - int64_t(vocab), expected.end());
            ASSERT_TRUE(last_logits(path, tokens, way, kv) == last)
                << type.name << ", " << way.threads << " threads, fed in chunks of " << way.chunk;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(models, InvarianceTest,
                         testing::Values("llama", "qwen2", "qwen3", "gemma3_text", "mixtral", "qwen2_moe",
                                         "tiny-llama-Q4_0.gguf", "tiny-llama-Q4_1.gguf",
                                         "tiny-llama-Q5_0.gguf", "tiny-llama-Q4_K_M.gguf",
                                         "tiny-llama-Q5_K_M.gguf", "tiny-llama-F16.gguf",
                                         "SmolLM2-135M-Instruct.Q4_1.gguf"),
                         [](const testing::TestParamInfo<std::string>& test) {
                             std::string name = test.param;
                             for (char& c : name)
                                 if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                             return name;
                         });

}  // namespace

}  // namespace ingle
