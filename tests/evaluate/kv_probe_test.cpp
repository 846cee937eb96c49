// Cache types chosen by trying the model: never much worse than 8 bits, and always the same.
#include "evaluate/kv_probe.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/fixtures.h"
#include "support/scripted_device.h"

namespace ingle::evaluate {

namespace {

std::shared_ptr<const Model> load(const std::filesystem::path& path, int threads = 2) {
    auto model = Model::load(Runtime::make({.threads = threads}), {.path = path, .progress = {}});
    EXPECT_OK(model);
    return model.ok() ? std::move(*model) : nullptr;
}

TEST(KvProbe, four_bits_are_taken_if_they_are_hardly_worse_than_eight) {
    EXPECT_EQ(choose_kv_type(1e-3, 1.2e-3), KvType::q4_0);
    EXPECT_EQ(choose_kv_type(1e-3, 1.3e-3), KvType::q8_0);
    EXPECT_EQ(choose_kv_type(0, 0), KvType::q4_0);
    // A model that suffers from eight bits keeps sixteen, however four compare.
    EXPECT_EQ(choose_kv_type(0.05, 0.05), KvType::f16);
    EXPECT_EQ(choose_kv_type(0.05, 2), KvType::f16);
    EXPECT_EQ(choose_kv_type(NAN, NAN), KvType::f16);
    EXPECT_EQ(choose_kv_type(1e-3, NAN), KvType::q8_0);
}

TEST(KvProbe, a_model_is_tried_and_the_same_is_chosen_every_time) {
    const auto path = test::source_dir() / "models" / "stories260K.gguf";
    const auto first = probe_kv_types(load(path, 1), {}, {});
    const auto second = probe_kv_types(load(path, 2), {}, {});
    ASSERT_OK(first);
    ASSERT_OK(second);
    EXPECT_EQ(first->tokens, 384 - 64);
    EXPECT_EQ(first->eight_bits, second->eight_bits);
    EXPECT_EQ(first->four_bits, second->four_bits);
    EXPECT_GT(first->eight_bits, 0);
    EXPECT_GT(first->four_bits, first->eight_bits);
    EXPECT_EQ(first->keys, choose_kv_type(first->eight_bits, first->four_bits));
    EXPECT_EQ(first->values, first->keys);
    EXPECT_NE(first->text().find("q8_0 is"), std::string::npos) << first->text();
}

TEST(KvProbe, what_is_given_stays) {
    const auto model = load(test::source_dir() / "models" / "stories260K.gguf");
    const auto both = probe_kv_types(model, {}, {});
    const auto values = probe_kv_types(model, KvType::f32, {});
    ASSERT_OK(both);
    ASSERT_OK(values);
    EXPECT_EQ(values->keys, KvType::f32);
    EXPECT_LT(values->four_bits, both->four_bits);
}

TEST(KvProbe, every_tiny_model_gets_types_that_keep_the_promise) {
    for (const char* const name : {"llama", "qwen2", "qwen3", "gemma3_text"}) {
        const auto path = test::fixtures() / "arch" / name / "model.gguf";
        INGLE_NEEDS(path);
        const auto probe = probe_kv_types(load(path), {}, {});
        ASSERT_OK(probe);
        const double chosen = probe->keys == KvType::q4_0   ? probe->four_bits
                              : probe->keys == KvType::q8_0 ? probe->eight_bits
                                                            : 0;
        EXPECT_LE(chosen, 1.2 * probe->eight_bits) << name;
        EXPECT_LE(chosen, 0.01) << name;
    }
}

// Whatever is stored, this one says the same.
TEST(KvProbe, a_model_that_does_not_mind_gets_four_bits) {
    const auto model = test::scripted_model([](std::span<const Token> text) {
        return test::ScriptedStep{.token = Token(text.size() % 100)};
    });
    const auto probe = probe_kv_types(model, {}, {});
    ASSERT_OK(probe);
    EXPECT_EQ(probe->eight_bits, 0);
    EXPECT_EQ(probe->keys, KvType::q4_0);
    EXPECT_EQ(probe->values, KvType::q4_0);
}

}  // namespace

}  // namespace ingle::evaluate
