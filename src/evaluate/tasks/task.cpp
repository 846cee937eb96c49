#include "evaluate/tasks/task.h"

#include <algorithm>
#include <cmath>

#include "evaluate/softmax.h"

namespace ingle::evaluate {

namespace {

// Leading tokens that all answers share, but none of those that are scored.
int64_t shared_prefix(const Task& task) {
    const ScoredAnswer& one = task.answers[0];
    int64_t shared = one.first;
    for (const ScoredAnswer& answer : task.answers) {
        const auto [a, b] = std::ranges::mismatch(one.tokens, answer.tokens);
        shared = std::min({shared, int64_t(a - one.tokens.begin()), answer.first});
    }
    return std::max<int64_t>(shared - 1, 0);  // the logits after its last token are wanted with each answer
}

// The mean log-probability of the scored tokens. The session holds the first `held` tokens.
Result<double> mean_log_probability(Session& session, const ScoredAnswer& answer, int64_t held) {
    double sum = 0;
    const auto rest = std::span(answer.tokens).subspan(size_t(held), size_t(answer.last - 1 - held));
    const int64_t vocab = session.model().vocab();
    const auto take = [&](int64_t index, std::span<const float> logits) -> Status {
        for (int64_t r = 0; r < int64_t(logits.size()) / vocab; ++r) {
            const auto row = logits.subspan(size_t(r * vocab), size_t(vocab));
            const Token next = answer.tokens[size_t(held + index + r + 1)];
            sum += log_softmax(row).of(row[size_t(next)]);
        }
        return {};
    };
    INGLE_TRY(session.evaluate_from(rest, answer.first - 1 - held, take));
    const double mean = sum / double(answer.last - answer.first);
    if (!std::isfinite(mean))
        return fail(Code::corrupt, "the model computes NaN or infinity");
    return mean;
}

}  // namespace

Estimate TaskScore::accuracy() const {
    const double share = tasks == 0 ? 0 : double(right) / double(tasks);
    return {share, tasks < 2 ? 0 : std::sqrt(share * (1 - share) / double(tasks - 1))};
}

std::pair<double, double> TaskScore::interval() const {
    constexpr double z = 1.959964;
    if (tasks == 0) return {0, 1};
    const double n = double(tasks), p = double(right) / n;
    const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
    const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    return {middle - half, middle + half};
}

Result<TaskScore> score_tasks(Session& session, std::span<const Task> tasks, const TaskDone& done) {
    TaskScore score;
    for (const Task& task : tasks) {
        const int64_t shared = shared_prefix(task);
        session.truncate(0);
        if (shared > 0) INGLE_TRY(session.feed(std::span(task.answers[0].tokens).first(size_t(shared))));
        size_t best = 0;
        double best_mean = -INFINITY;
        for (size_t a = 0; a < task.answers.size(); ++a) {
            session.truncate(shared);
            INGLE_ASSIGN(const double mean, mean_log_probability(session, task.answers[a], shared));
            if (mean > best_mean) best = a, best_mean = mean;
        }
        score.tasks += 1;
        score.right += task.right[best] ? 1 : 0;
        score.chance += double(std::ranges::count(task.right, true)) / double(task.right.size());
        INGLE_TRY(done(score));
    }
    return score;
}

int64_t longest_answer(std::span<const Task> tasks) {
    size_t longest = 0;
    for (const Task& task : tasks)
        for (const ScoredAnswer& answer : task.answers)
            longest = std::max(longest, answer.tokens.size());
    return int64_t(longest);
}

Result<Task> continuation_task(const Tokenizer& tokenizer, std::string_view context,
                               std::span<const std::string> endings, std::vector<bool> right) {
    Task task;
    task.right = std::move(right);
    for (const std::string& ending : endings) {
        ScoredAnswer answer;
        answer.tokens = tokenizer.encode(cat(context, " ", ending),
                                         {.add_special = true, .parse_special = false});
        answer.last = int64_t(answer.tokens.size());
        task.answers.push_back(std::move(answer));
    }
    const std::vector<Token>& one = task.answers[0].tokens;
    int64_t first = int64_t(one.size());
    for (const ScoredAnswer& answer : task.answers)
        first = std::min(first, int64_t(std::ranges::mismatch(one, answer.tokens).in1 - one.begin()));
    for (ScoredAnswer& answer : task.answers) {
        answer.first = std::max<int64_t>(first, 1);
        if (answer.first >= answer.last)
            return fail(Code::invalid_argument, "one ending is the beginning of another");
    }
    return task;
}

}  // namespace ingle::evaluate
