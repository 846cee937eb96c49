// Every supported architecture against the logits and the greedy text of its reference implementation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/session.h"
#include "support/fixtures.h"

namespace ingle {

namespace {

using Json = nlohmann::json;

struct Case {
    std::string model;
    bool reference;
    KvType kv;
};

void PrintTo(const Case& c, std::ostream* out) {
    *out << c.model << (c.reference ? " reference" : " fast")
         << (c.kv == KvType::f32 ? " f32 KV" : " f16 KV");
}

class ArchitectureTest : public testing::TestWithParam<Case> {
  protected:
    std::filesystem::path folder() const { return test::fixtures() / "arch" / GetParam().model; }

    std::unique_ptr<Session> open() {
        const auto runtime = Runtime::make({.threads = 2, .reference = GetParam().reference});
        auto model = Model::load(runtime, {.path = folder() / "model.gguf", .progress = {},
                                           .without_tokenizer = true});
        EXPECT_OK(model);
        if (!model.ok()) return nullptr;
        SessionOptions options;
        options.chunk_tokens = 32;
        options.outputs_max = 32;
        options.key_type = options.value_type = GetParam().kv;
        auto session = Session::open(*model, options);
        EXPECT_OK(session);
        return session.ok() ? std::move(*session) : nullptr;
    }

    // The largest |logit| difference that golden.json allows.
    double tolerance(const Json& golden) const {
        const bool half = GetParam().kv == KvType::f16;
        return golden["tolerance"][half ? "half_precision_kv" : "float32"].get<double>() *
               golden["max_abs_logit"].get<double>();
    }
};

// Where only config.json tells the truth, a GGUF can give no more than what libllama reads in it.
std::string logits_file(const Json& golden) {
    const bool gguf_tells = golden.value("gguf_carries_the_difference", true);
    return gguf_tells ? "logits.f32" : "logits.libllama.f32";
}

TEST_P(ArchitectureTest, logits_are_those_of_the_reference_implementation) {
    INGLE_NEEDS(folder() / "golden.json");
    const Json golden = Json::parse(test::bytes_of(folder() / "golden.json"));
    const auto expected = test::array_of<float>(folder() / logits_file(golden));
    const auto session = open();
    ASSERT_NE(session, nullptr);
    const auto ids = golden["inputs"]["a"].get<std::vector<Token>>();
    const size_t vocab = size_t(session->model().vocab());
    ASSERT_EQ(expected.size(), ids.size() * vocab);
    double worst = 0;
    ASSERT_OK(session->evaluate(ids, [&](int64_t index, std::span<const float> logits) {
        for (size_t i = 0; i < vocab; ++i)
            worst = std::max(worst, std::fabs(double(logits[i]) -
                                              double(expected[size_t(index) * vocab + i])));
        return Status();
    }));
    EXPECT_LE(worst, tolerance(golden));
}

class GreedyTest : public ArchitectureTest {};

TEST_P(GreedyTest, greedy_ids_are_those_of_the_reference_implementation) {
    INGLE_NEEDS(folder() / "golden.json");
    const Json golden = Json::parse(test::bytes_of(folder() / "golden.json"));
    const auto session = open();
    ASSERT_NE(session, nullptr);
    const auto expected = golden["greedy"]["ids"].get<std::vector<Token>>();
    const auto margins = golden["greedy"]["margins"].get<std::vector<double>>();
    ASSERT_OK(session->feed(golden["inputs"]["b"].get<std::vector<Token>>()));
    for (size_t step = 0; step < expected.size(); ++step) {
        const auto logits = session->logits();
        const auto best = Token(std::ranges::max_element(logits) - logits.begin());
        if (best != expected[step] && margins[step] < 2 * tolerance(golden)) break;  // a near tie
        ASSERT_EQ(best, expected[step]) << "at step " << step;
        ASSERT_OK(session->feed({&best, 1}));
    }
}

std::vector<Case> cases_of(const std::vector<std::string>& models) {
    std::vector<Case> all;
    for (const std::string& model : models)
        for (const bool reference : {true, false})
            for (const KvType kv : {KvType::f32, KvType::f16}) all.push_back({model, reference, kv});
    return all;
}

std::string name_of(const testing::TestParamInfo<Case>& test) {
    std::string name = test.param.model;
    std::ranges::replace(name, '-', '_');
    return name + (test.param.reference ? "_reference" : "_fast") +
           (test.param.kv == KvType::f32 ? "_f32_kv" : "_f16_kv");
}

const std::vector<std::string> gguf_tells_all = {
    "llama",         "llama-bf16", "llama-bias", "llama-sharded", "llama-yarn-beta",
    "mistral-nowin", "qwen2",      "qwen3",      "gemma3_text",
    "mixtral",       "qwen2_moe",  "qwen3_moe",  "granite",       "granitemoe",
    "glm4_moe"};

// The converter drops Mistral's sliding window, so its greedy text cannot be had from the GGUF.
INSTANTIATE_TEST_SUITE_P(mistral, ArchitectureTest, testing::ValuesIn(cases_of({"mistral"})),
                         name_of);
INSTANTIATE_TEST_SUITE_P(models, ArchitectureTest, testing::ValuesIn(cases_of(gguf_tells_all)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(models, GreedyTest, testing::ValuesIn(cases_of(gguf_tells_all)), name_of);

}  // namespace

}  // namespace ingle
