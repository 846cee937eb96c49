#include "cli/task_modes.h"

#include <algorithm>
#include <cstdio>

#include "base/file.h"
#include "base/platform.h"
#include "cli/json_writer.h"
#include "cli/options/model.h"
#include "evaluate/tasks/arithmetic.h"

namespace ingle::cli {

namespace {

using evaluate::Task;
using evaluate::TaskScore;

constexpr char group[] = "Tasks with known answers";
constexpr int64_t arithmetic_context = 256;

using Reader = Result<std::vector<Task>> (*)(const Tokenizer&, std::string_view, int64_t);

struct Kind {
    const char* name;   // of the option
    const char* flag;
    const char* title;
    const char* help;
    int64_t tasks;      // default of FLAG-tasks; 0: all
    Reader read;        // null: needs no file
};

constexpr Kind kinds[] = {
    {"hellaswag", "--hellaswag", "HellaSwag", "which of four endings continues a text (-f FILE)", 400,
     evaluate::read_hellaswag},
    {"winogrande", "--winogrande", "Winogrande", "which word a sentence leaves out (-f FILE, CSV)", 0,
     evaluate::read_winogrande},
    {"multiple_choice", "--multiple-choice", "Multiple choice",
     "questions with several answers (-f or -bf FILE, llama.cpp's binary form)", 0,
     evaluate::read_multiple_choice},
    {"arithmetic", "--arithmetic", "Arithmetic",
     "sums and differences, right only if the number is (needs no file)", 100, nullptr},
};

const Kind* asked(const OptionValues& values) {
    for (const Kind& kind : kinds)
        if (values.flag(kind.name)) return &kind;
    return nullptr;
}

std::string tasks_name(const Kind& kind) { return cat(kind.name, "_tasks"); }

Result<std::string> file_content(const OptionValues& values) {
    const std::string& binary = values.text("binary_file");
    if (!binary.empty()) return read_file(binary);
    INGLE_ASSIGN(auto text, given_text(values));
    if (!text) return fail(Code::invalid_argument, "expected the file with the tasks: -f FILE");
    return std::move(*text);
}

Status show_progress(const TaskScore& score, bool json) {
    if (platform::interrupts() > 0) return fail(Code::cancelled, "interrupted");
    if (json) return {};
    const auto [low, high] = score.interval();
    std::printf("%lld\t%.8f%%\t[%.4f%%, %.4f%%]\n", static_cast<long long>(score.tasks),
                100 * score.accuracy().value, 100 * low, 100 * high);
    std::fflush(stdout);
    return {};
}

void print_score(const Kind& kind, const TaskScore& score, bool as_json) {
    const evaluate::Estimate accuracy = score.accuracy();
    const auto [low, high] = score.interval();
    if (as_json) {
        JsonWriter json;
        json.begin_object().member("task", kind.name).member("tasks", score.tasks);
        json.member("right", score.right).member("accuracy", accuracy.value);
        json.member("error", accuracy.error).member("interval_low", low).member("interval_high", high);
        if (kind.read != nullptr) json.member("chance", score.chance / double(score.tasks));
        std::printf("%s\n", json.end_object().text().c_str());
        return;
    }
    std::printf("\nFinal %s score(%lld tasks): %.4f +/- %.4f", kind.title,
                static_cast<long long>(score.tasks), 100 * accuracy.value, 100 * accuracy.error);
    if (kind.read != nullptr) std::printf("  (chance: %.4f)", 100 * score.chance / double(score.tasks));
    std::printf("\n");
}

Result<TaskScore> score_file(const Kind& kind, const OptionValues& values,
                             std::shared_ptr<const Model> model, SessionOptions settings,
                             const evaluate::TaskDone& done) {
    INGLE_ASSIGN(const std::string content, file_content(values));
    INGLE_ASSIGN(const auto tasks, kind.read(*model->tokenizer(), content,
                                             values.integer(tasks_name(kind))));
    settings.context_tokens =
        std::max(settings.context_tokens, evaluate::longest_answer(tasks));
    settings.outputs_max = 16;
    INGLE_ASSIGN(const auto session, Session::open(std::move(model), settings));
    return evaluate::score_tasks(*session, tasks, done);
}

Result<TaskScore> score_arithmetic(const Kind& kind, const OptionValues& values,
                                   std::shared_ptr<const Model> model, SessionOptions settings,
                                   const evaluate::TaskDone& done) {
    settings.context_tokens = std::max(settings.context_tokens, arithmetic_context);
    INGLE_ASSIGN(const auto session, Session::open(std::move(model), settings));
    const auto problems = evaluate::arithmetic_problems(values.integer(tasks_name(kind)));
    return evaluate::score_arithmetic(*session, problems, done);
}

}  // namespace

std::vector<Option> task_options() {
    std::vector<Option> options;
    for (const Kind& kind : kinds) {
        options.push_back({.name = kind.name, .flags = kind.flag, .placeholder = "",
                           .default_value = false, .help = kind.help, .group = group});
        options.push_back({.name = tasks_name(kind), .flags = cat(kind.flag, "-tasks"),
                           .placeholder = "N", .default_value = kind.tasks,
                           .help = kind.read == nullptr ? "how many" : "the first so many; 0: all",
                           .min = kind.read == nullptr ? 1.0 : 0.0, .max = 1e7, .group = group});
    }
    options.push_back({.name = "binary_file", .flags = "-bf,--binary-file", .placeholder = "FILE",
                       .default_value = std::string(), .help = "tasks in binary form",
                       .group = group});
    return options;
}

Result<bool> task_asked(const OptionValues& values) {
    int64_t count = 0;
    for (const Kind& kind : kinds) count += values.flag(kind.name) ? 1 : 0;
    if (count > 1)
        return fail(Code::invalid_argument, "expected one kind of task, found ", count);
    return count == 1;
}

Status run_task(const OptionValues& values, std::shared_ptr<const Model> model,
                const SessionOptions& session) {
    const Kind& kind = *asked(values);
    const bool json = values.flag("json");
    const auto done = [&](const TaskScore& score) { return show_progress(score, json); };
    if (!json) std::printf("task\taccuracy\t95%% confidence interval\n");
    const auto score = kind.read == nullptr
                           ? score_arithmetic(kind, values, std::move(model), session, done)
                           : score_file(kind, values, std::move(model), session, done);
    if (!score.ok()) return score.status();
    print_score(kind, *score, json);
    return {};
}

}  // namespace ingle::cli
