// Random arrivals, cancellations, forks and texts to embed in a cache that is too small, for every tiny model: each answer is
// that of its request alone, and nothing is left behind.
#include <gtest/gtest.h>

#include <thread>

#include "base/random.h"
#include "engine/scheduler.h"
#include "support/engine_run.h"

namespace ingle {

namespace {

using test::Collected;

constexpr int64_t context = 192;

struct Case {
    std::string model;
    KvType type = KvType::f16;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.model << " " << info(c.type).name; }

struct Sent {
    GenerationRequest request;
    std::vector<Token> text;  // to embed, instead
    std::shared_ptr<Stream> stream;
    Collected got;
    int cancel_after = -1;  // events
    int events = 0;
};

class EngineStress : public testing::TestWithParam<Case> {
  protected:
    void SetUp() override {
        const std::string name = GetParam().model;
        auto path = test::source_dir() / "models" / name;
        if (!name.ends_with(".gguf")) {
            path = test::fixtures() / "arch" / name / "model.gguf";
            INGLE_NEEDS(path);
        }
        auto model = Model::load(Runtime::make({.threads = 2}), {.path = path, .progress = {}});
        ASSERT_OK(model);
        model_ = std::move(*model);
    }

    // Few texts, cut anywhere, so that beginnings are shared.
    std::vector<Token> random_text(Random& random) const {
        std::vector<Token> prompt;
        const int64_t kind = int64_t(random.below(3));
        for (int64_t i = 0, count = 1 + int64_t(random.below(110)); i < count; ++i)
            prompt.push_back(Token((i * 31 + kind * 17 + i * i % 7) % model_->vocab()));
        if (random.below(3) == 0) prompt[random.below(uint32_t(prompt.size()))] = 9;
        return prompt;
    }
    GenerationRequest random_request(Random& random) const {
        GenerationRequest request = test::request_for(random_text(random), 1 + int64_t(random.below(60)),
                                                      random.below(2) == 0 ? -1 : int64_t(random.below(9)));
        request.ignore_end = random.below(2) == 0;
        request.cache_prompt = random.below(5) > 0;
        request.info.client = std::string(1, char('a' + random.below(3)));
        request.info.priority = int(random.below(3));
        request.info.salt = random.below(4) == 0 ? "salt" : "";
        if (random.below(5) == 0) request.choices = 2 + int(random.below(3));
        return request;
    }

    EngineOptions engine_options() const {
        EngineOptions options;
        options.context_tokens = context;
        options.sequences_max = 5;
        options.chunk_tokens = 48;
        options.key_type = options.value_type = GetParam().type;
        return options;
    }
    static EmbeddingRequest embedding_of(std::vector<Token> text) {
        EmbeddingRequest request;
        request.input = std::move(text);
        return request;
    }
    void check_embedding(const Sent& sent) {
        if (!sent.got.status.ok()) return;
        if (solo_ == nullptr) {
            EngineOptions options = engine_options();
            options.sequences_max = 1;
            auto engine = Engine::open(model_, options);
            ASSERT_OK(engine);
            solo_ = *engine;
        }
        const Collected expected = test::collect(*solo_->submit(embedding_of(sent.text)));
        EXPECT_EQ(sent.got.embedding.values, expected.embedding.values);
        EXPECT_EQ(sent.got.embedding.tokens, int64_t(sent.text.size()));
    }
    void check(const Sent& sent) {
        if (!sent.text.empty()) return check_embedding(sent);
        SessionOptions options{.context_tokens = context};
        options.key_type = options.value_type = GetParam().type;
        // What has left a window must not matter.
        options.full_windows = true;
        for (const auto& [index, choice] : sent.got.choices) {
            GenerationRequest one = sent.request;
            if (index > 0) {
                // Greedy choices have no seed of their own.
                if (one.sampling.given("seed"))
                    EXPECT_OK(one.sampling.set("seed", one.sampling.integer("seed") + index));
            }
            const Generation expected = test::alone(model_, one, options);
            SCOPED_TRACE(testing::Message()
                         << "choice " << index << " of " << sent.request.choices << ", prompt of "
                         << one.prompt.size() << ", " << one.tokens_max << " tokens, seed "
                         << one.sampling.integer("seed") << ", cached "
                         << choice.finished.timings.cached_tokens << ", keeps " << one.cache_prompt);
            if (choice.ended) {
                EXPECT_EQ(choice.tokens, expected.tokens);
                EXPECT_EQ(choice.text, expected.text);
                EXPECT_EQ(choice.finished.reason, expected.reason);
            } else {
                ASSERT_LE(choice.tokens.size(), expected.tokens.size());
                EXPECT_TRUE(std::equal(choice.tokens.begin(), choice.tokens.end(),
                                       expected.tokens.begin()));
            }
        }
    }

    std::shared_ptr<const Model> model_;
    std::shared_ptr<Engine> solo_;
};

TEST_P(EngineStress, every_answer_is_that_of_its_request_alone) {
    const EngineOptions options = engine_options();
    CacheOptions cache;
    cache.sequence_pages_max = context / 32;
    cache.pages_max = 2 * cache.sequence_pages_max + 1;
    cache.unused_pages_max = 5;
    SessionOptions planned{.sequences = options.sequences_max, .chunk_tokens = options.chunk_tokens};
    planned.key_type = planned.value_type = GetParam().type;
    const backend::KvLayout layout = layout_of(model_->graph(), planned);
    cache.splits_full = !layout.has_exact_forms();
    cache.window = window_of(layout);
    cache.windows_max = windows_max(layout, planned, context);
    auto engine = Scheduler::make(model_, options, cache);
    ASSERT_OK(engine);
    Random random(11);
    std::vector<std::unique_ptr<Sent>> all, open;
    const size_t requests = GetParam().type == KvType::f16 ? 40 : 25;
    for (size_t sent = 0; sent < requests || !open.empty();) {
        if (sent < requests && open.size() < 9 && random.below(3) > 0) {
            auto next = std::make_unique<Sent>();
            if (random.below(5) == 0) {
                next->text = random_text(random);
                EmbeddingRequest request = embedding_of(next->text);
                request.info.priority = int(random.below(3));
                next->stream = (*engine)->submit(std::move(request));
            } else {
                next->request = random_request(random);
                next->stream = (*engine)->submit(next->request);
            }
            if (random.below(4) == 0) next->cancel_after = int(random.below(20));
            open.push_back(std::move(next));
            ++sent;
        }
        for (size_t i = open.size(); i-- > 0;) {
            Sent& each = *open[i];
            StreamEvent event;
            while (!each.got.done && each.stream->poll(event)) {
                each.got.take(std::move(event));
                if (each.events++ == each.cancel_after) each.stream->cancel();
            }
            if (!each.got.done) continue;
            all.push_back(std::move(open[i]));
            open.erase(open.begin() + std::ptrdiff_t(i));
        }
        std::this_thread::yield();
    }
    for (const auto& sent : all) {
        EXPECT_TRUE(sent->got.status.ok() || sent->got.status.code() == Code::cancelled)
            << sent->got.status.message();
        if (sent->cancel_after < 0 && sent->text.empty()) {
            EXPECT_EQ(sent->got.choices.size(), size_t(sent->request.choices));
        }
        check(*sent);
    }
    EXPECT_EQ((*engine)->running(), 0);
    EXPECT_EQ((*engine)->waiting(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    models, EngineStress,
    testing::Values(Case{"stories260K.gguf"}, Case{"llama"}, Case{"qwen2"}, Case{"qwen3"},
                    Case{"gemma3_text"}, Case{"stories260K.gguf", KvType::q8_0},
                    Case{"qwen3", KvType::q4_0}, Case{"gemma3_text", KvType::q8_0},
                    Case{"gemma3_text", KvType::q4_0}),
    [](const testing::TestParamInfo<Case>& test) {
        const std::string& name = test.param.model;
        return cat(name.substr(0, name.find('.')), "_", ingle::info(test.param.type).name);
    });

}  // namespace

}  // namespace ingle
