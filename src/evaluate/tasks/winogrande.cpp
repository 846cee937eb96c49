// Winogrande (Sakaguchi et al. 2019): which of two words a sentence leaves out; judged by what follows the gap.
#include <algorithm>

#include "evaluate/tasks/task.h"

namespace ingle::evaluate {

namespace {

constexpr int64_t trailing_least = 3;  // differing tokens up to which the choice itself is scored, too

// The fields of one line; quotes hold commas, a doubled quote is one.
std::vector<std::string> fields_of(std::string_view line) {
    std::vector<std::string> fields(1);
    bool inside = false;
    for (size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && inside && i + 1 < line.size() && line[i + 1] == '"') {
            fields.back() += c;
            ++i;
        } else if (c == '"') {
            inside = !inside;
        } else if (c == ',' && !inside) {
            fields.emplace_back();
        } else {
            fields.back() += c;
        }
    }
    return fields;
}

Result<Task> task_of(const Tokenizer& tokenizer, const std::vector<std::string>& fields) {
    if (fields.size() != 5)
        return fail(Code::corrupt, "expected index,sentence,choice 1,choice 2,answer, found ",
                    fields.size(), " fields");
    const size_t gap = fields[1].find('_');
    if (gap == std::string::npos)
        return fail(Code::corrupt, "expected a sentence with a gap '_', found ", quoted(fields[1]));
    const auto right = parse_int(trim(fields[4]));
    if (!right || (*right != 1 && *right != 2))
        return fail(Code::corrupt, "expected the answer 1 or 2, found ", quoted(fields[4]));
    const std::string before = fields[1].substr(0, gap), after = fields[1].substr(gap + 1);
    const auto encode = [&](const std::string& text) {
        return tokenizer.encode(text, {.add_special = true, .parse_special = false});
    };
    Task task;
    for (const size_t choice : {size_t(2), size_t(3)}) {
        ScoredAnswer answer;
        answer.tokens = encode(before + fields[choice] + after);
        answer.first = int64_t(encode(before + fields[choice]).size());
        answer.last = int64_t(answer.tokens.size());
        task.answers.push_back(std::move(answer));
    }
    task.right = {*right == 1, *right == 2};
    ScoredAnswer &a = task.answers[0], &b = task.answers[1];
    const int64_t shared = std::ranges::mismatch(a.tokens, b.tokens).in1 - a.tokens.begin();
    if (shared >= std::min(a.last, b.last) || std::min(a.last, b.last) < 2)
        return fail(Code::corrupt, "the two choices make sentences that cannot be told apart");
    const bool long_enough = a.last - shared > trailing_least && b.last - shared > trailing_least;
    for (ScoredAnswer& answer : task.answers) {
        if (!long_enough) answer.first = shared;
        answer.first = std::clamp<int64_t>(answer.first, 1, answer.last - 1);
        if (answer.last - answer.first > 1) --answer.last;  // most often a full stop
    }
    return task;
}

}  // namespace

Result<std::vector<Task>> read_winogrande(const Tokenizer& tokenizer, std::string_view text,
                                          int64_t tasks_max) {
    std::vector<Task> tasks;
    size_t number = 0;
    for (std::string_view line : split(text, '\n')) {
        ++number;
        line = trim(line);
        if (line.empty()) continue;
        if (tasks_max > 0 && int64_t(tasks.size()) == tasks_max) break;
        auto task = task_of(tokenizer, fields_of(line));
        if (!task.ok()) return std::move(task).status().in(cat("Winogrande, line ", number));
        tasks.push_back(std::move(*task));
    }
    if (tasks.empty()) return fail(Code::corrupt, "Winogrande: expected at least one line");
    return tasks;
}

}  // namespace ingle::evaluate
