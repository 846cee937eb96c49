// HellaSwag (Zellers et al. 2019): which of four endings continues a text.
#include "evaluate/tasks/task.h"

namespace ingle::evaluate {

namespace {

constexpr size_t lines_per_task = 6;
constexpr int64_t endings_count = 4;

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines = split(text, '\n');
    for (std::string_view& line : lines)
        if (line.ends_with('\r')) line.remove_suffix(1);
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
}

}  // namespace

Result<std::vector<Task>> read_hellaswag(const Tokenizer& tokenizer, std::string_view text,
                                         int64_t tasks_max) {
    const std::vector<std::string_view> lines = lines_of(text);
    if (lines.empty() || lines.size() % lines_per_task != 0)
        return fail(Code::corrupt, "HellaSwag: expected six lines a task, found ", lines.size(),
                    " lines");
    std::vector<Task> tasks;
    for (size_t at = 0; at < lines.size(); at += lines_per_task) {
        if (tasks_max > 0 && int64_t(tasks.size()) == tasks_max) break;
        const auto gold = parse_int(trim(lines[at + 1]));
        if (!gold || *gold < 0 || *gold >= endings_count)
            return fail(Code::corrupt, "HellaSwag, line ", at + 2,
                        ": expected the right ending's index, 0 to 3, found ", quoted(lines[at + 1]));
        std::vector<std::string> endings;
        std::vector<bool> right;
        for (int64_t e = 0; e < endings_count; ++e) {
            endings.emplace_back(lines[at + 2 + size_t(e)]);
            right.push_back(e == *gold);
        }
        auto task = continuation_task(tokenizer, lines[at], endings, std::move(right));
        if (!task.ok())
            return std::move(task).status().in(cat("HellaSwag, the task from line ", at + 1));
        tasks.push_back(std::move(*task));
    }
    return tasks;
}

}  // namespace ingle::evaluate
