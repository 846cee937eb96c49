// Long inputs: about linear time, a small stack, and the fast ways of merging agree with the plain
// one.
#include <pthread.h>

#include <map>

#include "base/random.h"
#include "support/stopwatch.h"
#include "tokenizer/merge.h"
#include "tokenizer/support.h"

namespace ingle::test {
namespace {

std::string repeated(std::string_view text, size_t times) {
    std::string out;
    for (size_t i = 0; i < times; ++i) out += text;
    return out;
}

// Runs `body` in a thread whose whole stack is 256 KiB.
template <class Body>
void run_on_small_stack(Body body) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    ASSERT_EQ(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
    pthread_t thread;
    const auto entry = [](void* argument) -> void* {
        (*static_cast<Body*>(argument))();
        return nullptr;
    };
    ASSERT_EQ(pthread_create(&thread, &attributes, entry, &body), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
}

class LongRuns : public testing::TestWithParam<const char*> {};

// Row 8 of the bug reports.
TEST_P(LongRuns, take_linear_time_and_a_small_stack) {
    const auto path = fixtures() / GetParam();
    INGLE_NEEDS(path);
    const auto tokenizer = tokenizer_of(path);
    ASSERT_TRUE(tokenizer);
    const std::string runs[] = {
        repeated("Z", 131072),   repeated("A", 43000),       repeated("字", 26000),
        repeated(" ", 100000),   repeated("\n", 100000),     repeated(".", 100000),
        repeated("us", 50000),   repeated("\t ", 50000),     repeated("'", 100000),
        repeated("\xe6", 50000), repeated("a\u0301", 40000), repeated("1", 100000),
        repeated("<|", 50000),   repeated("a", 1 << 20)};
    run_on_small_stack([&] {
        for (const std::string& text : runs) {
            const Stopwatch stopwatch;
            (void)tokenizer->encode(text, {false, true});
            EXPECT_LT(stopwatch.seconds(), 5) << quoted(text, 8) << " x " << text.size();
        }
    });
}

INSTANTIATE_TEST_SUITE_P(All, LongRuns,
                         testing::Values("vocab/ggml-vocab-llama-bpe.gguf",
                                         "vocab/ggml-vocab-llama-spm.gguf",
                                         "vocab/ggml-vocab-deepseek-llm.gguf",
                                         "vocab/ggml-vocab-bert-bge.gguf",
                                         "vocab/ggml-vocab-falcon.gguf", "arch/t5/model.gguf",
                                         "arch/gemma4/model.gguf", "arch/gemma3_text/model.gguf"));

TEST(Merging, a_queue_merges_exactly_as_scanning_does) {
    Random random(3);
    for (int round = 0; round < 300; ++round) {
        // Random merges over a small alphabet, so that many pairs meet; equal keys test the order.
        std::map<std::pair<Token, Token>, tokenizer::Merge> table;
        const uint32_t ids = 3 + uint32_t(random.below(20));
        for (int i = 0; i < 60; ++i)
            table[{Token(random.below(ids)), Token(random.below(ids))}] = {
                uint32_t(random.below(30)), Token(random.below(ids))};
        const auto pair = [&](const tokenizer::Symbol& left, const tokenizer::Symbol& right) {
            const auto found = table.find({left.id, right.id});
            return found != table.end() ? found->second : tokenizer::Merge{};
        };
        std::vector<tokenizer::Symbol> scanned(random.below(120));
        for (uint32_t i = 0; i < scanned.size(); ++i) scanned[i] = {Token(random.below(ids)), i, 1};
        auto queued = scanned;
        tokenizer::merge_scanning(scanned, pair);
        tokenizer::merge_queued(queued, pair);
        ASSERT_EQ(scanned.size(), queued.size());
        for (size_t i = 0; i < scanned.size(); ++i) {
            EXPECT_EQ(scanned[i].id, queued[i].id);
            EXPECT_EQ(scanned[i].begin, queued[i].begin);
            EXPECT_EQ(scanned[i].length, queued[i].length);
        }
    }
}

}  // namespace
}  // namespace ingle::test
