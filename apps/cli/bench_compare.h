// Ours beside a llama-bench on the same model, threads and machine, in turn, pair by pair: a machine may drift by a factor of
// two within minutes, so only ratios within a pair mean something.
#pragma once

#include "cli/bench_run.h"

namespace ingle::cli {

struct ComparedTest {
    std::string model_type;
    int threads = 0;
    BenchSetting setting;
    BenchTest test;
    std::vector<double> ours, theirs;  // tokens a second, by pair
};

// The middle of the values, or the mean of the two in the middle. At least one.
double median_of(std::vector<double> values);

// Tokens a second of every test in a llama-bench's `-o jsonl`, in its order. Fails on lines that are none of its.
struct PeerResult {
    BenchTest test;
    double tokens_per_second = 0;
};
Result<std::vector<PeerResult>> parse_peer(std::string_view jsonl);

// Runs the plan against `peer` and prints a table, or JSON.
Status compare_with(const OptionValues& values, const BenchPlan& plan, const std::string& peer);

}  // namespace ingle::cli
