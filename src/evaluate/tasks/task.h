// Tasks with known answers, and how they are scored: each answer is a sequence of tokens, part of which is
// scored; the model answers with the sequence whose scored tokens are likeliest in the mean.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session.h"
#include "evaluate/statistics.h"

namespace ingle::evaluate {

struct ScoredAnswer {
    std::vector<Token> tokens;
    int64_t first = 0;  // tokens [first, last) are scored; 1 <= first < last
    int64_t last = 0;
};

struct Task {
    std::vector<ScoredAnswer> answers;
    std::vector<bool> right;  // by answer
};

struct TaskScore {
    int64_t right = 0;
    int64_t tasks = 0;
    double chance = 0;  // tasks that guessing would get right

    Estimate accuracy() const;  // share of tasks, error sqrt(p (1 - p) / (n - 1))
    // 95 % interval of a share by Wilson's score.
    std::pair<double, double> interval() const;
};

using TaskDone = std::function<Status(const TaskScore& so_far)>;
// Scores the tasks on a session that is emptied for each. What the answers have in common is computed once.
Result<TaskScore> score_tasks(Session& session, std::span<const Task> tasks, const TaskDone& done);

// Tokens that the longest answer has.
int64_t longest_answer(std::span<const Task> tasks);

// Answers that continue one text: scored from the first token in which they differ.
Result<Task> continuation_task(const Tokenizer& tokenizer, std::string_view context,
                               std::span<const std::string> endings, std::vector<bool> right);

// Readers. Each fails with the place of the first fault. `tasks_max` 0: all; else the first so many.
// HellaSwag: six lines a task: context, index of the right ending, four endings.
Result<std::vector<Task>> read_hellaswag(const Tokenizer& tokenizer, std::string_view text,
                                         int64_t tasks_max);
// Winogrande: CSV lines index,sentence with _,choice 1,choice 2,answer (1 or 2). Scored is what follows the choice,
// without its last token; the choice too where only 3 tokens or less differ.
Result<std::vector<Task>> read_winogrande(const Tokenizer& tokenizer, std::string_view text,
                                          int64_t tasks_max);
// Multiple choice, binary, little-endian: u32 tasks, u32 place of each; per task a string (u32 length, bytes) with the
// question, then two sets of answers: u32 count, strings, i32 labels (1: right). The first set, of which one
// answer is right, is scored.
Result<std::vector<Task>> read_multiple_choice(const Tokenizer& tokenizer, std::string_view bytes,
                                               int64_t tasks_max);

}  // namespace ingle::evaluate
