// ingle bench: tokens a second for prompts and for generation, measured and reported as llama-bench does.
#include <chrono>
#include <cstdio>
#include <thread>

#include "base/platform.h"
#include "cli/bench_compare.h"
#include "cli/bench_share.h"
#include "cli/options/compatibility.h"

namespace ingle::cli {

namespace {

// Shows rows as they come, or all at the end.
class Report {
  public:
    Report(std::string format, std::FILE* out) : format_(std::move(format)), out_(out) {}

    void add(const BenchRow& row) {
        if (!is_by_line(format_)) return;
        if (first_) std::fputs(report_head(format_, row).c_str(), out_);
        first_ = false;
        std::fputs(report_row(format_, row).c_str(), out_);
        std::fflush(out_);
    }
    void finish(const std::vector<BenchRow>& rows) {
        if (is_by_line(format_) || format_ == "none") return;
        std::fputs(report_all(format_, rows).c_str(), out_);
    }

  private:
    std::string format_;
    std::FILE* out_;
    bool first_ = true;
};

Result<BenchRow> measure(const OptionValues& values, BenchStage& stage, const BenchTest& test) {
    if (values.integer("delay") > 0)
        std::this_thread::sleep_for(std::chrono::seconds(values.integer("delay")));
    if (values.flag("progress"))
        std::fprintf(stderr, "%s: %s\n", stage.model_file.c_str(), test.name().c_str());
    BenchRow row = row_of(stage, test);
    if (values.flag("warmup")) INGLE_TRY(warm_up(*stage.session, test));
    for (int64_t i = 0; i < values.integer("repetitions"); ++i) {
        INGLE_ASSIGN(const int64_t nanoseconds, time_once(*stage.session, test));
        row.samples_ns.push_back(nanoseconds);
    }
    return row;
}

Status run(const Invocation& invocation) {
    const OptionValues& values = invocation.values;
    INGLE_TRY(check_compatibility(values));
    INGLE_ASSIGN(const BenchPlan plan, read_plan(invocation));
    platform::count_interrupts();
    if (const std::string& peer = values.text("compare"); !peer.empty())
        return compare_with(values, plan, peer);
    Report report(values.text("output"), stdout), aside(values.text("output_err"), stderr);
    RoofMeter meter;
    std::vector<BenchRow> rows;
    INGLE_TRY(for_each_stage(values, plan, [&](BenchStage& stage) -> Status {
        for (const BenchTest& test : plan.tests) {
            INGLE_ASSIGN(BenchRow row, measure(values, stage, test));
            if (values.flag("roofs"))
                row.roof_share = share_of_roof(*stage.model, meter.of(stage.model->runtime()), row);
            report.add(row);
            aside.add(row);
            rows.push_back(std::move(row));
        }
        return {};
    }));
    report.finish(rows);
    aside.finish(rows);
    return {};
}

}  // namespace

namespace entries {
extern const Verb bench;
const Verb bench = {
    .name = "bench",
    .group = "Measure",
    .summary = "measure how fast a model runs here",
    .arguments = "[FILE]...",
    .about = "  ingle bench -m MODEL.gguf\n"
             "  ingle bench -m MODEL.gguf -p 128-512*2 -n 64 -pg 512,128 -t 1,2 -ub 256,512 -o json\n"
             "  ingle bench -m MODEL.gguf --roofs                     beside what the machine can do at most\n"
             "  ingle bench -m MODEL.gguf --compare PATH/llama-bench  in turn with another program\n\n"
             "Lists are written 1,2 or 1-4 or 64-512*2 or 0-512+128; every combination is measured.\n"
             "Reports in the forms of llama-bench. Tokenizing and sampling are not timed.",
    .options = bench_options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
