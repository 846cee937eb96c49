// Rows of several sequences in one batch: each row's logits are, bit for bit, those of its sequence alone.
#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/session.h"
#include "support/fixtures.h"

namespace ingle {

namespace {

constexpr int64_t page_tokens = 32;
constexpr int64_t rows_max = 80;

std::vector<Token> tokens_of(int sequence, int64_t count) {
    std::vector<Token> tokens;
    for (int64_t i = 0; i < count; ++i)
        tokens.push_back(Token((i * 37 + 11 + sequence * 53) % 250));
    return tokens;
}

std::vector<float> alone(const std::shared_ptr<const Model>& model, std::span<const Token> tokens) {
    auto session = Session::open(model, {.context_tokens = 256, .chunk_tokens = 64, .outputs_max = 64});
    EXPECT_OK(session);
    std::vector<float> all;
    EXPECT_OK((*session)->evaluate(tokens, [&](int64_t, std::span<const float> row) {
        all.insert(all.end(), row.begin(), row.end());
        return Status();
    }));
    return all;
}

// Several sequences on one cache, a few rows of each in every batch.
class Many {
  public:
    Many(std::shared_ptr<const Model> model, int64_t pages) : model_(std::move(model)) {
        backend::KvLayout layout;
        layout.layers = model_->graph().kv_layers;
        layout.page_tokens = page_tokens;
        layout.pages_max = pages;
        backend::Device& device = model_->runtime().device();
        store_ = std::move(*device.make_kv(layout));
        backend::KvStore* const stores[] = {store_.get()};
        pool_.emplace(pages, stores);
        const graph::Binding bindings[] = {{&device, &model_->weights(), store_.get()}};
        program_ = std::move(
            *graph::Program::compile(model_->graph(), bindings, rows_max, rows_max));
    }

    kv::Sequence& add(std::vector<Token> tokens) {
        tokens_.push_back(std::move(tokens));
        logits_.emplace_back();
        return *sequences_.emplace_back(std::make_unique<kv::Sequence>(*pool_, page_tokens, 64));
    }

    // Random chunks of random sequences until all are done.
    void run(Random& random) {
        while (true) {
            begin();
            bool left = false;
            for (size_t s = 0; s < sequences_.size(); ++s) {
                const int64_t rest = int64_t(tokens_[s].size()) - sequences_[s]->length();
                left |= rest > 0;
                const int64_t most = std::min(rest, rows_max - int64_t(batch_tokens_.size()));
                if (most > 0 && random.below(3) > 0)
                    append(s, random.below(2) == 0 ? 1 : 1 + random.below(uint32_t(most)));
            }
            if (!left) return;
            submit();
        }
    }

    const std::vector<float>& logits(size_t s) const { return logits_[s]; }

  private:
    void begin() {
        batch_tokens_.clear(), positions_.clear(), outputs_.clear(), rows_.clear(), owner_.clear();
    }

    void append(size_t s, int64_t count) {
        kv::Sequence& sequence = *sequences_[s];
        const int64_t first = sequence.length();
        EXPECT_OK(sequence.grow(count));
        rows_.push_back({sequence.pages(), int32_t(batch_tokens_.size()), int32_t(count),
                         int32_t(outputs_.size()), int32_t(count)});
        owner_.push_back(s);
        for (int64_t i = 0; i < count; ++i) {
            outputs_.push_back(int32_t(batch_tokens_.size()));
            batch_tokens_.push_back(tokens_[s][size_t(first + i)]);
            positions_.push_back(int32_t(first + i));
        }
    }

    void submit() {
        backend::Call call;
        call.batch = {batch_tokens_, positions_, outputs_, rows_};
        ASSERT_OK(program_->run(call));
        const size_t vocab = size_t(model_->vocab());
        for (size_t i = 0; i < rows_.size(); ++i) {
            const auto mine = program_->result().subspan(size_t(rows_[i].first_output) * vocab,
                                                         size_t(rows_[i].outputs) * vocab);
            auto& all = logits_[owner_[i]];
            all.insert(all.end(), mine.begin(), mine.end());
        }
    }

    std::shared_ptr<const Model> model_;
    std::unique_ptr<backend::KvStore> store_;
    std::optional<kv::PagePool> pool_;
    std::unique_ptr<graph::Program> program_;
    std::vector<std::vector<Token>> tokens_;
    std::vector<std::unique_ptr<kv::Sequence>> sequences_;
    std::vector<std::vector<float>> logits_;
    std::vector<Token> batch_tokens_;
    std::vector<int32_t> positions_, outputs_;
    std::vector<SequenceRows> rows_;
    std::vector<size_t> owner_;
};

class SequencesTest : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        const auto path = test::fixtures() / "arch" / GetParam() / "model.gguf";
        INGLE_NEEDS(path);
        for (const bool reference : {false, true}) {
            auto model =
                Model::load(Runtime::make({.threads = 2, .threads_batch = 2, .reference = reference}),
                            {.path = path, .progress = {}, .without_tokenizer = true});
            ASSERT_OK(model);
            models_.push_back(std::move(*model));
        }
    }

    std::vector<std::shared_ptr<const Model>> models_;  // by fast kernels, by the references
};

TEST_P(SequencesTest, a_row_does_not_see_its_neighbours) {
    for (const auto& model : models_) {
        Random random(5);
        Many many(model, 40);
        std::vector<std::vector<Token>> all;
        for (int s = 0; s < 6; ++s) {
            all.push_back(tokens_of(s, std::vector<int64_t>{40, 1, 97, 5, 250, 64}[size_t(s)]));
            many.add(all.back());
        }
        many.run(random);
        for (size_t s = 0; s < all.size(); ++s)
            EXPECT_TRUE(many.logits(s) == alone(model, all[s])) << "sequence " << s;
    }
}

INSTANTIATE_TEST_SUITE_P(models, SequencesTest,
                         testing::Values("llama", "qwen2", "qwen3", "gemma3_text"));

}  // namespace

}  // namespace ingle
