// One small trained Llama in every weight format: logits against exact arithmetic over the same stored
// weights, and never further from it than the peer's own 8-bit activations are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/session.h"
#include "gguf/reader.h"
#include "gguf/writer.h"
#include "support/fixtures.h"

namespace ingle {

namespace {

using Json = nlohmann::json;

std::filesystem::path folder() { return test::fixtures() / "quant-models"; }

struct Distance {
    double rms = 0;
    double worst = 0;
};

// Between our logits at positions 16 to 23 and the exact ones.
Result<Distance> distance_from_exact(const std::string& file, std::span<const Token> tokens,
                                     const RuntimeOptions& runtime, KvType kv) {
    INGLE_ASSIGN(auto model, Model::load(Runtime::make(runtime),
                                         {.path = folder() / file, .progress = {},
                                          .without_tokenizer = true}));
    SessionOptions options;
    options.outputs_max = 24;
    options.key_type = options.value_type = kv;
    INGLE_ASSIGN(auto session, Session::open(model, options));
    std::string stem = file.substr(0, file.rfind('.'));
    // The peer rounds activations to f16 for F16 weights, which here hold exactly what the F32 file holds.
    if (stem == "tiny-llama-F16") stem = "tiny-llama-F32";
    const auto exact = test::array_of<float>(folder() / "logits" / (stem + ".exact.f32"));
    Distance distance;
    INGLE_TRY(session->evaluate(tokens, [&](int64_t index, std::span<const float> logits) {
        for (size_t i = 0; index >= 16 && i < logits.size(); ++i) {
            const double d = double(logits[i]) - double(exact[size_t(index - 16) * logits.size() + i]);
            distance.rms += d * d;
            distance.worst = std::max(distance.worst, std::fabs(d));
        }
        return Status();
    }));
    distance.rms = std::sqrt(distance.rms / double(exact.size()));
    return distance;
}

// Calls f(file entry) for every file of the fixtures (some are only described); counts them.
template <class F>
int for_each_file(const Json& golden, F&& f) {
    int count = 0;
    for (const Json& file : golden["files"])
        if (std::filesystem::exists(folder() / file["file"].get<std::string>())) f(file), ++count;
    return count;
}

// Copies a model and gives it a tensor "output.scale" of these numbers.
void write_with_factor(const std::filesystem::path& from, const std::filesystem::path& to,
                       uint32_t type, const std::vector<float>& numbers) {
    const auto file = gguf::File::open(from);
    ASSERT_OK(file);
    std::vector<gguf::TensorSpec> specs;
    for (const gguf::TensorInfo& info : file->tensors())
        specs.push_back({info.name, info.type_id, {info.shape().begin(), info.shape().end()}});
    const uint64_t bytes = type == 0 ? 4 * numbers.size() : numbers.size();
    specs.push_back({"output.scale", type, {numbers.size()}});
    auto writer = gguf::Writer::create(to, file->metadata(), specs);
    ASSERT_OK(writer);
    for (const gguf::TensorInfo& info : file->tensors())
        ASSERT_OK(writer->append(file->bytes(info)));
    ASSERT_OK(writer->append(std::as_bytes(std::span(numbers)).first(size_t(bytes))));
    ASSERT_OK(writer->finish());
}

}  // namespace

TEST(QuantModels, reference_kernels_give_the_exact_logits) {
    INGLE_NEEDS(folder() / "golden.json");
    const Json golden = Json::parse(test::bytes_of(folder() / "golden.json"));
    const auto tokens = golden["tokens"].get<std::vector<Token>>();
    const int count = for_each_file(golden, [&](const Json& file) {
        const auto name = file["file"].get<std::string>();
        const auto distance =
            distance_from_exact(name, tokens, {.threads = 2, .reference = true}, KvType::f32);
        ASSERT_OK(distance);
        EXPECT_LE(distance->worst, 1e-4) << name;
    });
    EXPECT_GE(count, 27);
}

// The peer's distance is met over all files together. File by file it is not: Q8_0 stands at
// about 1.23 and Q4_0 at
// 1.10 times the peer's over these eight positions, so one file is only held to 1.5 times.
TEST(QuantModels, default_kernels_are_over_all_files_as_close_to_exact_as_the_peer) {
    INGLE_NEEDS(folder() / "golden.json");
    const Json golden = Json::parse(test::bytes_of(folder() / "golden.json"));
    const auto tokens = golden["tokens"].get<std::vector<Token>>();
    double ours = 0, peers = 0;
    for_each_file(golden, [&](const Json& file) {
        const auto name = file["file"].get<std::string>();
        const auto distance = distance_from_exact(name, tokens, {.threads = 2}, KvType::f16);
        ASSERT_OK(distance);
        const double peer = file["default_vs_exact_rms"].get<double>();
        EXPECT_LE(distance->rms, 1.5 * peer) << name;
        ours += distance->rms * distance->rms;
        peers += peer * peer;
        const auto precise =
            distance_from_exact(name, tokens, {.threads = 2, .precise = true}, KvType::f16);
        ASSERT_OK(precise);
        EXPECT_LE(precise->rms, peer / 2 + 1e-3) << name;
    });
    EXPECT_LE(ours, peers);
}

// NVFP4 files may have a factor beside each tensor. Half the factor of the output matrix is half of
// every logit, in fast kernels and in the reference.
TEST(QuantModels, a_factor_beside_an_nvfp4_tensor_multiplies_its_values) {
    const auto original = folder() / "tiny-llama-NVFP4-pure.gguf";
    INGLE_NEEDS(original);
    const auto path = std::filesystem::path(testing::TempDir()) / "nvfp4-factor.gguf";
    const auto logits_of = [](const std::filesystem::path& file, bool reference) {
        std::vector<float> logits;
        auto model = Model::load(Runtime::make({.threads = 2, .reference = reference}),
                                 {.path = file, .progress = {}, .without_tokenizer = true});
        if (!model.ok()) return ADD_FAILURE() << test::why(model), logits;
        auto session = Session::open(*model, {});
        const std::vector<Token> tokens = {1, 403, 407, 261, 378};
        if (!session.ok() || !(*session)->feed(tokens).ok()) return ADD_FAILURE(), logits;
        const auto view = (*session)->logits();
        logits.assign(view.begin(), view.end());
        return logits;
    };
    write_with_factor(original, path, 0, {0.5f});
    for (const bool reference : {false, true}) {
        auto expected = logits_of(original, reference);
        for (float& logit : expected) logit *= 0.5f;
        EXPECT_EQ(logits_of(path, reference), expected);
    }
    for (const auto& [type, numbers] :
         {std::pair(0u, std::vector<float>{1, 2}), {24u, {0}}, {0u, {INFINITY}}}) {
        write_with_factor(original, path, type, numbers);
        const auto model = Model::load(Runtime::make({.threads = 1}),
                                       {.path = path, .progress = {}, .without_tokenizer = true});
        ASSERT_FALSE(model.ok());
        EXPECT_NE(model.status().message().find("tensor 'output.scale': expected"),
                  std::string::npos)
            << model.status().message();
    }
}

TEST(QuantModels, a_type_for_activations_is_refused_by_what_it_is) {
    const auto path = std::filesystem::path(testing::TempDir()) / "activation-type.gguf";
    INGLE_NEEDS(folder() / "tiny-llama-Q8_0.gguf");
    const auto file = gguf::File::open(folder() / "tiny-llama-Q8_0.gguf");
    ASSERT_OK(file);
    std::vector<gguf::TensorSpec> specs;
    for (const gguf::TensorInfo& info : file->tensors())
        specs.push_back({info.name, info.name == "output.weight" ? 9 : info.type_id,
                         {info.shape().begin(), info.shape().end()}});
    auto writer = gguf::Writer::create(path, file->metadata(), specs);
    ASSERT_OK(writer);
    for (const gguf::TensorInfo& info : file->tensors()) {
        std::vector<std::byte> bytes(file->bytes(info).begin(), file->bytes(info).end());
        if (info.name == "output.weight") bytes.resize(bytes.size() / 34 * 36);
        ASSERT_OK(writer->append(bytes));
    }
    ASSERT_OK(writer->finish());
    const auto model = Model::load(Runtime::make({.threads = 1}),
                                   {.path = path, .progress = {}, .without_tokenizer = true});
    ASSERT_FALSE(model.ok());
    EXPECT_NE(model.status().message().find("tensor 'output.weight' has type Q8_1, which is for "
                                            "activations and never of a weight; expected one of: "
                                            "F32, "),
              std::string::npos)
        << model.status().message();
}

TEST(QuantModels, a_split_set_gives_the_logits_of_the_whole_file) {
    const auto split = folder() / "split" / "stories260K-split-00001-of-00003.gguf";
    INGLE_NEEDS(split);
    std::vector<std::vector<float>> results;
    for (const auto& path : {split, test::fixtures() / "models" / "stories260K.gguf"}) {
        auto model = Model::load(Runtime::make({.threads = 2}),
                                 {.path = path, .progress = {}, .without_tokenizer = true});
        ASSERT_OK(model);
        auto session = Session::open(*model, {});
        ASSERT_OK(session);
        const std::vector<Token> tokens = {1, 403, 407, 261, 378};
        ASSERT_OK((*session)->feed(tokens));
        const auto logits = (*session)->logits();
        results.emplace_back(logits.begin(), logits.end());
    }
    EXPECT_EQ(results[0], results[1]);
}

}  // namespace ingle
