// Where matrices are kept changes no bit of a logit, and a cache of repacked weights is used only where it fits.
#include <unistd.h>

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "backend/cpu/repack_cache.h"
#include "base/log.h"
#include "engine/plan.h"
#include "engine/session.h"
#include "support/fixtures.h"

namespace ingle {

namespace {

namespace fs = std::filesystem;

// A folder of its own for a test, with a copy of the bundled model; log lines are kept.
class Storage : public testing::Test {
  protected:
    Storage() {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
        fs::copy_file(test::source_dir() / "models" / "stories260K.gguf", model_);
        set_log_level(LogLevel::notice);
        set_log_sink([this](LogLevel, std::string_view line) { lines_ += cat(line, "\n"); });
    }
    ~Storage() override {
        set_log_sink({});
        set_log_level(LogLevel::warning);
        fs::remove_all(folder_);
    }

    cpu::StorageOptions cached() const { return {.no_repack = false, .repack_cache = cache_, .check_cache = false}; }
    static cpu::StorageOptions in_file() { return {.no_repack = true, .repack_cache = {}, .check_cache = false}; }

    std::unique_ptr<Session> open(const fs::path& path, const cpu::StorageOptions& storage, int64_t chunk = 64) {
        RuntimeOptions runtime;
        runtime.threads = 2;
        runtime.storage = storage;
        auto model = Model::load(Runtime::make(runtime),
                                 {.path = path, .progress = {}, .without_tokenizer = true});
        EXPECT_OK(model);
        if (!model.ok()) return nullptr;
        SessionOptions options;
        options.context_tokens = 128;
        options.chunk_tokens = options.outputs_max = chunk;
        auto session = Session::open(*model, options);
        EXPECT_OK(session);
        return session.ok() ? std::move(*session) : nullptr;
    }

    std::vector<float> logits(const fs::path& path, const cpu::StorageOptions& storage, int64_t chunk = 64) {
        const auto session = open(path, storage, chunk);
        if (session == nullptr) return {};
        std::vector<Token> tokens;
        for (int i = 0; i < 50; ++i) tokens.push_back(Token((i * 37 + 11) % 250));
        std::vector<float> all;
        EXPECT_OK(session->evaluate(tokens, [&](int64_t, std::span<const float> row) {
            all.insert(all.end(), row.begin(), row.end());
            return Status();
        }));
        return all;
    }

    // The only file of the cache.
    fs::path cache_file() const {
        const auto files = cpu::list_repack_cache(cache_);
        EXPECT_EQ(files.size(), 1u);
        return files.empty() ? fs::path() : files[0].path;
    }

    static void flip_byte(const fs::path& path, int64_t offset) {
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekg(offset);
        const char byte = char(file.get() ^ 0x10);
        file.seekp(offset);
        file.put(byte);
    }

    // What `change` does to the cache must be found, told in these words, and undone by making it anew.
    template <class Change>
    void expect_made_anew(std::string_view words, Change&& change, bool check_cache = false) {
        const auto expected = logits(model_, {});
        ASSERT_EQ(logits(model_, cached()), expected);
        change(cache_file());
        lines_.clear();
        cpu::StorageOptions storage = cached();
        storage.check_cache = check_cache;
        EXPECT_EQ(logits(model_, storage), expected);
        EXPECT_NE(lines_.find(words), std::string::npos) << lines_;
        EXPECT_NE(lines_.find("it is made anew"), std::string::npos) << lines_;
        lines_.clear();
        EXPECT_EQ(logits(model_, storage), expected);
        EXPECT_EQ(lines_, "") << "the new one fits";
    }

    fs::path folder_ = fs::path(testing::TempDir()) /
                       cat(testing::UnitTest::GetInstance()->current_test_info()->name(), "-", ::getpid());
    fs::path model_ = folder_ / "model.gguf";
    fs::path cache_ = folder_ / "cache" / "inner";
    std::string lines_;
};

TEST_F(Storage, changes_no_bit_of_the_logits) {
    std::vector<fs::path> models = {model_};
    for (const char* const name : {"Q4_0", "Q5_0", "Q4_K_M", "Q5_K_M", "F16"})
        models.push_back(test::fixtures() / "quant-models" / cat("tiny-llama-", name, ".gguf"));
    for (const fs::path& model : models) {
        if (!fs::exists(model) && !test::must_not_skip()) continue;
        const auto expected = logits(model, {});
        for (const int64_t chunk : {1, 7, 64}) {
            EXPECT_EQ(logits(model, in_file(), chunk), expected) << model << ", chunks of " << chunk;
            EXPECT_EQ(logits(model, cached(), chunk), expected) << model << ", chunks of " << chunk;
        }
    }
}

TEST_F(Storage, mapped_weights_are_counted_apart) {
    const auto packed = open(model_, {}), in_file = open(model_, this->in_file());
    EXPECT_EQ(packed->model().weights().mapped_bytes(), 0u);
    const uint64_t norms = in_file->model().weights().bytes();
    EXPECT_LT(norms, 10000u);
    EXPECT_GT(in_file->model().weights().mapped_bytes(), 500000u);
    for (const char* const time : {"written", "mapped"}) {
        const auto mapped = open(model_, cached());
        EXPECT_EQ(mapped->model().weights().bytes(), norms) << time;
        EXPECT_EQ(norms + mapped->model().weights().mapped_bytes(), packed->model().weights().bytes()) << time;
    }
    EXPECT_NE(lines_.find("of repacked weights to "), std::string::npos) << lines_;
}

TEST_F(Storage, a_plan_counts_what_the_model_has) {
    for (const cpu::StorageOptions& storage : {cpu::StorageOptions(), in_file(), cached()}) {
        RuntimeOptions runtime;
        runtime.storage = storage;
        ModelOptions outline = {.path = model_, .progress = {}};
        outline.outline = true;
        auto model = Model::load(Runtime::make(runtime), outline);
        ASSERT_OK(model);
        const auto plan = make_plan(**model, {}, 0);
        ASSERT_OK(plan);
        const auto session = open(model_, storage);
        EXPECT_EQ(plan->weights, session->model().weights().bytes());
        EXPECT_EQ(plan->mapped, session->model().weights().mapped_bytes());
    }
}

TEST_F(Storage, a_model_cut_while_its_weights_are_used_is_an_error) {
    const auto whole = open(test::source_dir() / "models" / "stories260K.gguf", in_file());
    const auto cut = open(model_, in_file());
    const Token tokens[] = {1, 300, 301};
    ASSERT_OK(cut->feed(tokens, {}));
    fs::resize_file(model_, 65536);
    const Status status = cut->feed(tokens, {});
    EXPECT_EQ(status.code(), Code::io);
    EXPECT_NE(status.message().find("model.gguf' was cut while in use"), std::string::npos) << status.message();
    EXPECT_OK(whole->feed(tokens, {}));
}

TEST_F(Storage, a_cache_cut_while_it_is_used_is_an_error_and_made_anew_at_the_next_start) {
    const auto expected = logits(model_, {});
    const auto session = open(model_, cached());
    const Token tokens[] = {1, 300, 301};
    ASSERT_OK(session->feed(tokens, {}));
    fs::resize_file(cache_file(), 65536);
    const Status status = session->feed(tokens, {});
    EXPECT_EQ(status.code(), Code::io);
    EXPECT_NE(status.message().find(".repacked' was cut while in use"), std::string::npos) << status.message();
    EXPECT_EQ(logits(model_, cached()), expected);
}

TEST_F(Storage, a_cut_cache_is_made_anew) {
    expect_made_anew("bytes, expected", [](const fs::path& file) { fs::resize_file(file, fs::file_size(file) - 5000); });
    expect_made_anew("is cut", [](const fs::path& file) { fs::resize_file(file, 100); });
    expect_made_anew("is cut", [](const fs::path& file) { fs::resize_file(file, 0); });
}

TEST_F(Storage, a_foreign_cache_is_made_anew) {
    expect_made_anew("is no file of this kind", [this](const fs::path& file) {
        fs::copy_file(model_, file, fs::copy_options::overwrite_existing);
    });
    expect_made_anew("has version", [](const fs::path& file) { flip_byte(file, 8); });
}

TEST_F(Storage, a_damaged_header_is_found) {
    for (const int64_t offset : {12, 24, 32, 40, 60, 200})
        expect_made_anew(": ", [&](const fs::path& file) { flip_byte(file, offset); });
}

TEST_F(Storage, damage_is_found_where_it_is_looked_for) {
    // The middle group of a matrix is always compared, the first byte only by a full check.
    expect_made_anew("is packed to", [](const fs::path& file) {
        for (int64_t at = 2 << 20; at < int64_t(fs::file_size(file)); at += 500) flip_byte(file, at);
    });
    expect_made_anew("is damaged", [](const fs::path& file) { flip_byte(file, 2 << 20); }, true);
}

TEST_F(Storage, a_cache_of_an_earlier_state_of_the_model_is_made_anew) {
    // Though the time of writing is set back.
    const auto written = fs::last_write_time(model_);
    const auto before = logits(model_, cached());
    flip_byte(model_, int64_t(fs::file_size(model_)) - 1000);
    fs::last_write_time(model_, written);
    lines_.clear();
    const auto after = logits(model_, cached());
    EXPECT_NE(lines_.find("is of an earlier state of the model; it is made anew"), std::string::npos) << lines_;
    EXPECT_NE(after, before);
    EXPECT_EQ(after, logits(model_, {}));
    EXPECT_EQ(cpu::list_repack_cache(cache_).size(), 1u) << "in the place of the old one";
}

TEST_F(Storage, where_no_cache_can_be_written_the_model_runs_without) {
    std::ofstream(folder_ / "cache") << "a file where the folder should be";
    EXPECT_EQ(logits(model_, cached()), logits(model_, {}));
    EXPECT_NE(lines_.find("the model is loaded without it"), std::string::npos) << lines_;
    const auto session = open(model_, cached());
    EXPECT_EQ(session->model().weights().mapped_bytes(), 0u);
}

TEST_F(Storage, several_at_once_make_one_cache) {
    const auto expected = logits(model_, {});
    std::vector<std::vector<float>> found(4);
    set_log_sink([](LogLevel, std::string_view) {});
    std::vector<std::thread> threads;
    for (auto& out : found) threads.emplace_back([&] { out = logits(model_, cached()); });
    for (std::thread& thread : threads) thread.join();
    for (const auto& out : found) EXPECT_EQ(out, expected);
    cache_file();
    EXPECT_EQ(std::distance(fs::directory_iterator(cache_), fs::directory_iterator()), 1) << "no temporary files are left";
}

}  // namespace

}  // namespace ingle
