// ingle quantize: a model in fewer bits.
#include "cli/options/quantize.h"

#include <chrono>
#include <cstdio>

#include "base/cpu_info.h"
#include "base/log.h"
#include "base/platform.h"
#include "cli/model_file.h"
#include "cli/quantize_report.h"
#include "cli/terminal.h"

namespace ingle::cli {

namespace {

using Clock = std::chrono::steady_clock;

// "41 MiB/s, 12 s left"
std::string speed_note(uint64_t done, uint64_t total, Clock::time_point begin) {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (done == 0 || seconds < 0.2) return "";
    const double speed = double(done) / seconds;
    return cat(human_bytes(uint64_t(speed)), "/s, ", int64_t(double(total - done) / speed + 0.5),
               " s left");
}

int thread_count(const OptionValues& values, const QuantizeWords& words) {
    if (words.threads) return *words.threads;
    const int64_t given = values.integer("threads");
    return given > 0 ? int(given) : default_thread_count(nullptr);
}

Status run(const Invocation& invocation) {
    const OptionValues& values = invocation.values;
    INGLE_ASSIGN(const QuantizeWords words, quantize_words(invocation.arguments));
    std::optional<imatrix::Matrix> importance;
    INGLE_ASSIGN(quantize::Options options, quantize_options_of(values, importance));
    options.recipe = words.recipe;
    INGLE_ASSIGN(const auto file, open_model(words.input));
    auto plan = quantize::make_plan(file, options);
    if (!plan.ok()) return naming_file(std::move(plan).status(), words.input);
    const Status possible = quantize::check_plan(*plan, options);
    if (values.flag("dry_run")) {
        if (!possible.ok())
            plan->warnings.push_back(
                cat("without --dry-run this would fail: ", possible.message()));
        const std::string page =
            values.flag("json") ? json_of_plan(*plan, words.output) : text_of_plan(*plan);
        std::fputs(page.c_str(), stdout);
        return {};
    }
    if (!possible.ok()) return naming_file(possible, words.input);
    for (const std::string& warning : plan->warnings) log(LogLevel::warning, warning);

    platform::count_interrupts();
    ProgressBar bar("Quantizing");
    const auto begin = Clock::now();
    const auto progress = [&](uint64_t done, uint64_t total) {
        bar.show(done, total, speed_note(done, total, begin));
        return platform::interrupts() == 0;
    };
    auto report = quantize::run(file, *plan, words.output,
                                {.threads = thread_count(values, words),
                                 .effort = int(values.integer("effort")),
                                 .keep_split = values.flag("keep_split"),
                                 .progress = progress});
    bar.wipe();
    if (!report.ok()) return naming_file(std::move(report).status(), words.input);
    const std::string page =
        values.flag("json") ? json_of_report(*plan, *report) : text_of_report(*report);
    std::fputs(page.c_str(), stdout);
    return {};
}

}  // namespace

namespace entries {
extern const Verb quantize;
const Verb quantize = {
    .name = "quantize",
    .group = "Make models",
    .summary = "write a model in fewer bits",
    .arguments = "IN.gguf [OUT.gguf] TYPE [THREADS]",
    .about =
        "  ingle quantize F16.gguf Q4.gguf Q4_K_M\n"
        "  ingle quantize --imatrix m.gguf F16.gguf Q3.gguf Q3_K_M\n"
        "  ingle quantize --effort 3 F16.gguf Q4.gguf Q4_K_M\n"
        "  ingle quantize --dry-run F16.gguf Q4_K_M\n"
        "  ingle quantize --tensor-type 'ffn_(up|gate)=Q4_K' --pure F16.gguf OUT.gguf Q6_K\n",
    .options = quantize_options,
    .run = run,
    .table = quantize_type_table,
};
}  // namespace entries

}  // namespace ingle::cli
