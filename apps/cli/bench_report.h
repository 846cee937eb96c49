// What a benchmark found, in llama-bench's words: its JSON fields and its Markdown table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ingle::cli {

struct BenchRow {
    std::string model_file;
    std::string model_type;  // "llama 135M Q4_1"
    uint64_t model_bytes = 0;
    int64_t parameters = 0;
    int64_t chunk_tokens = 0;
    int threads = 0;
    std::string key_type, value_type;
    int64_t prompt_tokens = 0;     // 0: no prompt was measured
    int64_t generated_tokens = 0;  // 0: nothing was generated
    int64_t depth_tokens = 0;      // in the cache beforehand
    std::string begun;             // "2026-11-30T12:00:00Z"
    std::vector<int64_t> samples_ns;

    std::string test_name() const;  // "pp512", "tg128", "pp512 @ d1024"
};

std::string bench_json(const std::vector<BenchRow>& rows);
std::string bench_json_line(const BenchRow& row);
std::string bench_markdown(const std::vector<BenchRow>& rows);

}  // namespace ingle::cli
