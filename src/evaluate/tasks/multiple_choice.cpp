// Multiple choice (MMLU, ARC, TruthfulQA) in the binary form that llama-perplexity reads.
#include <cstring>

#include "evaluate/tasks/task.h"

namespace ingle::evaluate {

namespace {

constexpr uint32_t string_bytes_max = 1 << 24;
constexpr uint32_t answers_max = 1000;

class Bytes {
  public:
    explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

    Result<uint32_t> number(std::string_view what) {
        uint32_t value = 0;
        if (bytes_.size() - offset_ < sizeof(value)) return cut(what);
        std::memcpy(&value, bytes_.data() + offset_, sizeof(value));
        offset_ += sizeof(value);
        return value;
    }
    Result<std::string> string(std::string_view what) {
        INGLE_ASSIGN(const uint32_t length, number(what));
        if (length > string_bytes_max || bytes_.size() - offset_ < length) return cut(what);
        offset_ += length;
        return std::string(bytes_.substr(offset_ - length, length));
    }
    Status skip(uint64_t count, std::string_view what) {
        if (bytes_.size() - offset_ < count) return cut(what);
        offset_ += size_t(count);
        return {};
    }

  private:
    Status cut(std::string_view what) const {
        return fail(Code::corrupt, "multiple choice: expected ", what, " at byte ", offset_, " of ",
                    bytes_.size(), ", found the end");
    }

    std::string_view bytes_;
    size_t offset_ = 0;
};

struct AnswerSet {
    std::vector<std::string> texts;
    std::vector<bool> right;
};

Result<AnswerSet> read_answers(Bytes& in) {
    INGLE_ASSIGN(const uint32_t count, in.number("a number of answers"));
    if (count > answers_max)
        return fail(Code::corrupt, "multiple choice: expected at most ", answers_max,
                    " answers, found ", count);
    AnswerSet set;
    for (uint32_t i = 0; i < count; ++i) {
        INGLE_ASSIGN(std::string text, in.string("an answer"));
        set.texts.push_back(std::move(text));
    }
    for (uint32_t i = 0; i < count; ++i) {
        INGLE_ASSIGN(const uint32_t label, in.number("a label"));
        set.right.push_back(label == 1);
    }
    return set;
}

}  // namespace

Result<std::vector<Task>> read_multiple_choice(const Tokenizer& tokenizer, std::string_view bytes,
                                               int64_t tasks_max) {
    Bytes in(bytes);
    INGLE_ASSIGN(const uint32_t count, in.number("the number of tasks"));
    INGLE_TRY(in.skip(uint64_t(count) * sizeof(uint32_t), "the places of the tasks"));
    if (count == 0) return fail(Code::corrupt, "multiple choice: expected at least one task");
    std::vector<Task> tasks;
    for (uint32_t i = 0; i < count; ++i) {
        if (tasks_max > 0 && int64_t(tasks.size()) == tasks_max) break;
        INGLE_ASSIGN(const std::string question, in.string("a question"));
        INGLE_ASSIGN(AnswerSet answers, read_answers(in));
        if (auto second = read_answers(in); !second.ok()) return std::move(second).status();
        const auto where = [&](Status status) {
            return std::move(status).in(cat("multiple choice, task ", i));
        };
        if (answers.texts.size() < 2)
            return where(fail(Code::corrupt, "expected two answers or more, found ",
                              answers.texts.size()));
        auto task = continuation_task(tokenizer, question, answers.texts, std::move(answers.right));
        if (!task.ok()) return where(std::move(task).status());
        tasks.push_back(std::move(*task));
    }
    return tasks;
}

}  // namespace ingle::evaluate
