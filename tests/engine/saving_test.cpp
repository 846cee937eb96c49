// A sequence survives in a file, bit for bit; a file that was cut, changed or made for another model is refused.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "support/engine_run.h"

namespace ingle {

namespace {

using test::Collected;
using test::alone;
using test::collect;
using test::request_for;

class SavingTest : public testing::Test {
  protected:
    void SetUp() override {
        model_ = test::stories();
        ASSERT_NE(model_, nullptr);
        path_ = std::filesystem::temp_directory_path() /
                cat("ingle-state-", ::getpid(), "-",
                    testing::UnitTest::GetInstance()->current_test_info()->name());
    }
    void TearDown() override { std::filesystem::remove(path_); }

    std::shared_ptr<Engine> open(std::shared_ptr<const Model> model, KvType type = KvType::f16) const {
        auto engine = Engine::open(std::move(model), {.context_tokens = 256, .key_type = type,
                                                      .value_type = type});
        EXPECT_OK(engine);
        return engine.ok() ? *engine : nullptr;
    }
    static std::vector<Token> prompt(int64_t count) {
        std::vector<Token> tokens = {1};
        for (int64_t i = 1; i < count; ++i) tokens.push_back(Token(3 + i * 37 % 500));
        return tokens;
    }
    // Runs a request in slot 2 and saves what it left.
    void save(Engine& engine, int64_t tokens) {
        auto request = request_for(prompt(tokens), 10);
        request.info.slot = 2;
        EXPECT_OK(collect(*engine.submit(request)).status);
        const auto saved = engine.save(2, path_);
        ASSERT_OK(saved);
        // The last token was drawn and not computed.
        EXPECT_EQ(saved->tokens, tokens + 9);
        EXPECT_EQ(saved->bytes, std::filesystem::file_size(path_));
    }
    void damage(uint64_t offset) {
        std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
        file.seekg(std::streamoff(offset));
        const char byte = char(file.get() ^ 1);
        file.seekp(std::streamoff(offset));
        file.put(byte);
    }

    std::shared_ptr<const Model> model_;
    std::filesystem::path path_;
};

TEST_F(SavingTest, a_restored_sequence_is_not_computed_again_and_goes_on_the_same) {
    save(*open(model_), 150);
    const auto engine = open(model_);
    const auto restored = engine->restore(5, path_);
    ASSERT_OK(restored);
    EXPECT_EQ(restored->tokens, 159);
    const auto request = request_for(prompt(150), 60);
    const Collected all = collect(*engine->submit(request));
    EXPECT_EQ(all.choices.at(0).finished.timings.cached_tokens, 149);
    EXPECT_EQ(all.choices.at(0).tokens, alone(model_, request, 256).tokens);
    EXPECT_OK(engine->save(5, path_));
}

TEST_F(SavingTest, every_pair_of_types_can_be_saved) {
    for (const KvType type : {KvType::f32, KvType::q8_0, KvType::q4_0}) {
        save(*open(model_, type), 150);
        const auto engine = open(model_, type);
        ASSERT_OK(engine->restore(0, path_));
        const auto request = request_for(prompt(159), 30);
        const Collected all = collect(*engine->submit(request));
        EXPECT_GE(all.choices.at(0).finished.timings.cached_tokens, 128);
        const Collected fresh = collect(*open(model_, type)->submit(request));
        EXPECT_EQ(all.choices.at(0).tokens, fresh.choices.at(0).tokens);
    }
}

TEST_F(SavingTest, a_session_goes_on_where_it_was_saved) {
    const auto session_of = [&] {
        auto session = Session::open(model_, {.context_tokens = 256});
        EXPECT_OK(session);
        return std::move(*session);
    };
    const auto first = session_of();
    ASSERT_OK(first->feed(prompt(100)));
    const auto saved = first->save(path_);
    ASSERT_OK(saved);
    EXPECT_EQ(*saved, 100);
    const auto second = session_of();
    ASSERT_OK(second->feed(prompt(7)));
    ASSERT_OK(second->restore(path_));
    EXPECT_EQ(second->length(), 100);
    for (const auto& session : {&first, &second}) ASSERT_OK((*session)->feed(prompt(20)));
    EXPECT_TRUE(std::ranges::equal(first->logits(), second->logits()));
    damage(std::filesystem::file_size(path_) / 2);
    EXPECT_EQ(second->restore(path_).code(), Code::corrupt);
    EXPECT_EQ(second->length(), 120);
}

TEST_F(SavingTest, a_file_cut_or_changed_anywhere_is_refused_and_nothing_is_lost) {
    const auto engine = open(model_);
    save(*engine, 60);
    const uint64_t size = std::filesystem::file_size(path_);
    const std::string whole = test::bytes_of(path_);
    for (const uint64_t at : {uint64_t(0), uint64_t(9), uint64_t(45), uint64_t(60), size / 2, size - 1}) {
        damage(at);
        const auto damaged = engine->restore(0, path_);
        EXPECT_FALSE(damaged.ok()) << "byte " << at;
        damage(at);
    }
    for (const uint64_t cut : {uint64_t(0), uint64_t(20), uint64_t(63), size / 2, size - 1}) {
        std::filesystem::resize_file(path_, cut);
        const auto shorter = engine->restore(0, path_);
        EXPECT_EQ(shorter.status().code(), Code::corrupt) << "cut to " << cut;
        std::ofstream(path_, std::ios::binary) << whole;
    }
    EXPECT_EQ(engine->restore(0, path_.string() + ".none").status().code(), Code::not_found);
    const auto request = request_for(prompt(60), 20);
    const Collected all = collect(*engine->submit(request));
    EXPECT_EQ(all.choices.at(0).finished.timings.cached_tokens, 59);
    EXPECT_OK(engine->restore(0, path_));
}

TEST_F(SavingTest, a_state_of_another_model_or_another_type_is_refused) {
    save(*open(model_), 60);
    const Status type = open(model_, KvType::f32)->restore(0, path_).status();
    EXPECT_EQ(type.code(), Code::invalid_argument);
    EXPECT_NE(type.message().find("type"), std::string::npos);
    const auto other = test::fixtures() / "arch" / "llama" / "model.gguf";
    INGLE_NEEDS(other);
    auto model = Model::load(Runtime::make({.threads = 1}), {.path = other, .progress = {}});
    ASSERT_OK(model);
    const Status foreign = open(*model)->restore(0, path_).status();
    EXPECT_EQ(foreign.code(), Code::invalid_argument);
    EXPECT_NE(foreign.message().find("another model"), std::string::npos);
}

TEST_F(SavingTest, an_erased_slot_is_computed_again) {
    const auto engine = open(model_);
    save(*engine, 60);
    const auto erased = engine->erase(2);
    ASSERT_OK(erased);
    EXPECT_EQ(*erased, 69);
    const Collected all = collect(*engine->submit(request_for(prompt(60), 5)));
    EXPECT_EQ(all.choices.at(0).finished.timings.cached_tokens, 0);
}

TEST_F(SavingTest, slots_that_do_not_exist_are_named) {
    const auto engine = open(model_);
    EXPECT_EQ(engine->save(99, path_).status().code(), Code::invalid_argument);
    EXPECT_EQ(engine->restore(-1, path_).status().code(), Code::invalid_argument);
    EXPECT_EQ(engine->erase(8).status().code(), Code::invalid_argument);
}

TEST_F(SavingTest, a_place_that_cannot_be_written_is_told_and_changes_nothing) {
    const auto engine = open(model_);
    save(*engine, 60);
    EXPECT_FALSE(engine->save(2, "/proc/ingle-cannot-write-here").ok());
    EXPECT_OK(engine->restore(0, path_));
}

}  // namespace

}  // namespace ingle
