// Carries out a benchmark's plan. Tokenizing and sampling are not timed; a prompt is computed in one go, generation token
// by token.
#pragma once

#include <functional>

#include "cli/bench_plan.h"
#include "cli/bench_report.h"
#include "engine/session.h"

namespace ingle::cli {

// One model with one number of threads under one setting, ready for every test of the plan.
struct BenchStage {
    std::shared_ptr<const Model> model;
    std::unique_ptr<Session> session;
    BenchSetting setting;
    std::string model_file;
    bool repack = true;
};

// Calls `run` with every stage of the plan. A model is loaded anew for each number of threads.
Status for_each_stage(const OptionValues& values, const BenchPlan& plan,
                      const std::function<Status(BenchStage&)>& run);

// A row without results.
BenchRow row_of(const BenchStage& stage, const BenchTest& test);

// Nanoseconds of one run, without the tokens that are in the cache beforehand.
Result<int64_t> time_once(Session& session, const BenchTest& test);
// A short run before those that are timed.
Status warm_up(Session& session, const BenchTest& test);

}  // namespace ingle::cli
