// What a benchmark shall measure, read from llama-bench's flags: every combination of lists of settings, and in each the
// tests.
#pragma once

#include <string>
#include <vector>

#include "cli/verb.h"
#include "tensor/kv_view.h"

namespace ingle::cli {

struct BenchTest {
    int64_t prompt_tokens = 0;     // 0: no prompt
    int64_t generated_tokens = 0;  // 0: nothing generated
    int64_t depth_tokens = 0;      // in the cache beforehand

    // "pp512", "tg128", "pp512+tg128", "pp512 @ d1024"
    std::string name() const;
    int64_t tokens() const { return prompt_tokens + generated_tokens; }
};

struct BenchSetting {
    int64_t batch_tokens = 2048;
    int64_t chunk_tokens = 512;
    std::string key_type = "f16", value_type = "f16";
};

struct BenchPlan {
    std::vector<std::string> models;
    std::vector<int64_t> threads;
    std::vector<BenchSetting> settings;
    std::vector<BenchTest> tests;  // by depth; prompts, generation, then both
};

std::vector<Option> bench_options();
Result<BenchPlan> read_plan(const Invocation& invocation);

}  // namespace ingle::cli
