// What a draw costs: no allocation once warm, and no sort of the vocabulary. The times are printed;
// the bounds are wide, for slow and busy machines and sanitizers.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "base/random.h"
#include "sampling/sampling_support.h"

namespace {
std::atomic<uint64_t> allocations{0};
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"  // of operators that are inlined one without the other
#endif
void* operator new(size_t bytes) {
    allocations.fetch_add(1, std::memory_order_relaxed);
    if (void* const memory = std::malloc(bytes != 0 ? bytes : 1)) return memory;
    throw std::bad_alloc();
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
    allocations.fetch_add(1, std::memory_order_relaxed);
    return std::malloc(bytes != 0 ? bytes : 1);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace ingle::sampling {

using namespace test;

namespace {

constexpr size_t vocabulary = 151936;

std::vector<float> random_logits(uint64_t seed) {
    Random random(seed);
    std::vector<float> logits(vocabulary);
    for (float& logit : logits) logit = float(2.5 * random.normal());
    return logits;
}

const std::vector<std::pair<const char*, Settings>> chains = {
    {"default", {}},
    {"greedy", {{"temperature", "0"}}},
    {"penalties", {{"repeat_penalty", "1.1"}, {"frequency_penalty", "0.1"}}},
    {"dry", {{"dry_multiplier", "0.8"}, {"dry_penalty_last_n", "1024"}}},
    {"min_p without top_k", {{"samplers", "min_p;temperature"}, {"min_p", "0.02"}}},
    {"top_p without top_k", {{"top_k", "0"}, {"min_p", "0"}}},
    {"typ_p without top_k", {{"top_k", "0"}, {"min_p", "0"}, {"typical_p", "0.9"}}},
    {"top_n_sigma without top_k", {{"samplers", "top_n_sigma;temperature"}, {"top_n_sigma", "2"}}},
    {"everything drawn from", {{"samplers", "temperature"}, {"temperature", "1.1"}}},
    {"mirostat 1", {{"mirostat", "1"}}},
    {"mirostat 2", {{"mirostat", "2"}}},
    {"adaptive_p", {{"adaptive_target", "0.3"}}},
    {"logit_bias", {{"logit_bias", "5-inf"}, {"ignore_eos", "true"}}},
    {"large top_k", {{"top_k", "20000"}, {"top_p", "1"}, {"min_p", "0"}}},
};

Chain big_chain(Settings settings) {
    settings.emplace_back("seed", "1");
    VocabularyInfo info = vocabulary_of(vocabulary);
    info.append_text = [](Token token, std::string& out) { out += token % 50 ? "word" : "\n"; };
    return chain_of(settings, std::move(info));
}

}  // namespace

TEST(Cost, a_warm_chain_allocates_nothing) {
    const std::vector<float> logits = random_logits(1), other = random_logits(2);
    for (const auto& [name, settings] : chains) {
        Chain chain = big_chain(settings);
        for (int i = 0; i < 2200; ++i) chain.accept(i % 300);
        for (int i = 0; i < 20; ++i) chain.accept(*chain.sample(i % 2 ? other : logits));
        const uint64_t before = allocations.load();
        for (int i = 0; i < 3; ++i) chain.accept(*chain.sample(i % 2 ? other : logits));
        EXPECT_EQ(allocations.load() - before, 0u) << name;
    }
}

TEST(Cost, a_draw_from_150k_logits_takes_microseconds) {
    const std::vector<float> logits = random_logits(1);
    for (const auto& [name, settings] : chains) {
        Chain chain = big_chain(settings);
        for (int i = 0; i < 2000; ++i) chain.accept(i % 300);
        double best = 1e9;
        for (int i = 0; i < 8; ++i) {
            const auto start = std::chrono::steady_clock::now();
            ASSERT_OK(chain.sample(logits));
            const std::chrono::duration<double, std::micro> took =
                std::chrono::steady_clock::now() - start;
            best = std::min(best, took.count());
        }
        std::printf("    %-28s %7.0f us\n", name, best);
        EXPECT_LT(best, 1e6) << name;
    }
}

}  // namespace ingle::sampling
