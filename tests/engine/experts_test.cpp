// Files of models with experts: the two ways to name them, and files that are wrong.
#include <unistd.h>

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>

#include "container/copy.h"
#include "support/engine_run.h"

namespace ingle {

namespace {

struct Parts {
    gguf::Metadata metadata;
    std::vector<gguf::TensorSpec> tensors;
    std::vector<std::vector<std::byte>> bytes;

    size_t at(const std::string& name) const {
        for (size_t i = 0; i < tensors.size(); ++i)
            if (tensors[i].name == name) return i;
        ADD_FAILURE() << name;
        return 0;
    }
    void set_shape(const std::string& name, std::vector<uint64_t> dims) {
        uint64_t elements = 1;
        for (const uint64_t dim : dims) elements *= dim;
        tensors[at(name)].dims = std::move(dims);
        bytes[at(name)].resize(size_t(elements) * sizeof(float));
    }
};

class ExpertFiles : public testing::Test {
  protected:
    void SetUp() override { INGLE_NEEDS(fixture("mixtral")); }
    void TearDown() override { std::filesystem::remove(path_); }

    static std::filesystem::path fixture(const std::string& name) {
        return test::fixtures() / "arch" / name / "model.gguf";
    }

    // The fixture as `change` left it.
    void write(const std::string& name, const std::function<void(Parts&)>& change) {
        const auto file = gguf::File::open(fixture(name));
        ASSERT_OK(file);
        Parts parts = {file->metadata(), container::specs_of(file->tensors()), {}};
        for (const gguf::TensorInfo& tensor : file->tensors()) {
            const auto bytes = file->bytes(tensor);
            parts.bytes.emplace_back(bytes.begin(), bytes.end());
        }
        change(parts);
        auto writer = gguf::Writer::create(path_, parts.metadata, parts.tensors);
        ASSERT_OK(writer);
        for (const auto& bytes : parts.bytes) ASSERT_OK(writer->append(bytes));
        ASSERT_OK(writer->finish());
    }

    static Result<std::shared_ptr<const Model>> load(const std::filesystem::path& path, bool tokenizer = false) {
        return Model::load(Runtime::make({.threads = 1}),
                           {.path = path, .progress = {}, .without_tokenizer = !tokenizer});
    }

    void expect_refused(const std::string& name, const std::string& words,
                        const std::function<void(Parts&)>& change) {
        write(name, change);
        const auto model = load(path_);
        ASSERT_FALSE(model.ok());
        EXPECT_NE(model.status().message().find(words), std::string::npos) << model.status().message();
    }

    static std::vector<float> logits_of(const std::filesystem::path& path) {
        const auto model = load(path);
        EXPECT_OK(model);
        auto session = Session::open(*model, {});
        EXPECT_OK(session);
        const Token tokens[] = {1, 30, 200, 7, 9};
        EXPECT_OK((*session)->feed(tokens));
        const auto logits = (*session)->logits();
        return {logits.begin(), logits.end()};
    }

    const std::filesystem::path path_ =
        std::filesystem::path(testing::TempDir()) / cat("ingle-experts-", ::getpid(), ".gguf");
};

TEST_F(ExpertFiles, matrices_of_each_expert_by_themselves_are_the_same_model) {
    write("mixtral", [](Parts& parts) {
        Parts apart = {parts.metadata, {}, {}};
        for (size_t i = 0; i < parts.tensors.size(); ++i) {
            const gguf::TensorSpec& spec = parts.tensors[i];
            const size_t suffix = spec.name.find("_exps.weight");
            const size_t experts = suffix == std::string::npos ? 1 : size_t(spec.dims[2]);
            const size_t bytes = parts.bytes[i].size() / experts;
            for (size_t e = 0; e < experts; ++e) {
                apart.tensors.push_back(spec);
                if (suffix != std::string::npos) {
                    apart.tensors.back().name = cat(spec.name.substr(0, suffix), ".", e, ".weight");
                    apart.tensors.back().dims.pop_back();
                }
                const auto first = parts.bytes[i].begin() + int64_t(e * bytes);
                apart.bytes.emplace_back(first, first + int64_t(bytes));
            }
        }
        parts = apart;
    });
    EXPECT_EQ(logits_of(path_), logits_of(fixture("mixtral")));
}

TEST_F(ExpertFiles, numbers_that_cannot_be_are_refused) {
    expect_refused("mixtral", "'llama.expert_used_count': expected 1 to 4, found u32 5",
                   [](Parts& parts) { parts.metadata.set("llama.expert_used_count", uint32_t(5)); });
    expect_refused("mixtral", "'llama.expert_used_count': expected 1 to 4, found u32 0",
                   [](Parts& parts) { parts.metadata.set("llama.expert_used_count", uint32_t(0)); });
    expect_refused("mixtral", "'llama.expert_count'",
                   [](Parts& parts) { parts.metadata.set("llama.expert_count", uint32_t(4000000)); });
    expect_refused("mixtral", "tensor 'blk.0.ffn_gate_exps.weight': expected shape [64, 48, 3], found [64, 48, 4]",
                   [](Parts& parts) { parts.metadata.set("llama.expert_count", uint32_t(3)); });
    expect_refused("qwen3_moe", "'qwen3moe.expert_gating_func'",
                   [](Parts& parts) { parts.metadata.set("qwen3moe.expert_gating_func", uint32_t(9)); });
    expect_refused("qwen3_moe", "experts in groups",
                   [](Parts& parts) { parts.metadata.set("qwen3moe.expert_group_count", uint32_t(2)); });
}

TEST_F(ExpertFiles, shapes_that_do_not_fit_are_refused) {
    expect_refused("mixtral", "tensor 'blk.1.ffn_down_exps.weight': expected shape [48, 64, 4], found [48, 64, 2]",
                   [](Parts& parts) { parts.set_shape("blk.1.ffn_down_exps.weight", {48, 64, 2}); });
    expect_refused("mixtral", "tensor 'blk.0.ffn_up_exps.weight': expected shape [64, 48, 4], found [64, 192]",
                   [](Parts& parts) { parts.set_shape("blk.0.ffn_up_exps.weight", {64, 192}); });
    expect_refused("qwen2_moe", "tensor 'blk.0.ffn_gate_inp.weight': expected shape [64, 6], found [64, 5]",
                   [](Parts& parts) { parts.set_shape("blk.0.ffn_gate_inp.weight", {64, 5}); });
    expect_refused("qwen2_moe", "tensor 'blk.1.ffn_gate_exps.weight' is missing", [](Parts& parts) {
        const size_t at = parts.at("blk.1.ffn_gate_exps.weight");
        parts.tensors.erase(parts.tensors.begin() + int64_t(at));
        parts.bytes.erase(parts.bytes.begin() + int64_t(at));
    });
}

// Published files have the gate of the shared expert as a vector.
TEST_F(ExpertFiles, a_matrix_of_one_row_may_be_a_vector) {
    write("qwen2_moe", [](Parts& parts) {
        for (const char* const blk : {"blk.0.", "blk.1."})
            parts.set_shape(cat(blk, "ffn_gate_inp_shexp.weight"), {64});
    });
    EXPECT_EQ(logits_of(path_), logits_of(fixture("qwen2_moe")));
}

TEST_F(ExpertFiles, a_router_that_is_not_a_number_fails_the_request) {
    write("qwen2_moe", [](Parts& parts) {
        const float value = std::numeric_limits<float>::quiet_NaN();
        std::memcpy(parts.bytes[parts.at("blk.0.ffn_gate_inp.weight")].data(), &value, sizeof(value));
    });
    const auto model = load(path_, true);
    ASSERT_OK(model);
    auto engine = Engine::open(*model, {.context_tokens = 64});
    ASSERT_OK(engine);
    const auto answer = test::collect(*(*engine)->submit(test::request_for({1, 30, 200}, 4)));
    EXPECT_FALSE(answer.status.ok());
    EXPECT_NE(answer.status.message().find("logits that are not numbers"), std::string::npos)
        << answer.status.message();
}

// Rows of several requests share the groups of their experts.
TEST_F(ExpertFiles, answers_given_together_are_those_given_alone) {
    const auto model = load(fixture("qwen2_moe"), true);
    ASSERT_OK(model);
    auto engine = Engine::open(*model, {.context_tokens = 128, .sequences_max = 4});
    ASSERT_OK(engine);
    std::vector<GenerationRequest> requests;
    for (int i = 0; i < 4; ++i) {
        std::vector<Token> prompt;
        for (int t = 0; t < 5 + 9 * i; ++t) prompt.push_back(Token((t * 31 + i * 17) % 380));
        requests.push_back(test::request_for(prompt, 12, i == 0 ? -1 : i));
        requests.back().ignore_end = true;
    }
    std::vector<std::shared_ptr<Stream>> streams;
    for (const GenerationRequest& request : requests) streams.push_back((*engine)->submit(request));
    for (size_t i = 0; i < requests.size(); ++i) {
        auto answer = test::collect(*streams[i]);
        ASSERT_OK(answer.status);
        EXPECT_EQ(answer.choices[0].text, test::alone(*model, requests[i], 128).text) << i;
    }
}

}  // namespace

}  // namespace ingle
