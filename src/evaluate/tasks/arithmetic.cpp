#include "evaluate/tasks/arithmetic.h"

#include <algorithm>

#include "base/random.h"

namespace ingle::evaluate {

namespace {

constexpr int64_t tokens_max = 8;  // an answer has at most four characters
constexpr char solved[] = "3 + 5 = 8\n17 + 26 = 43\n9 - 4 = 5\n62 - 35 = 27\n8 + 45 = 53\n";

}  // namespace

std::vector<ArithmeticProblem> arithmetic_problems(int64_t count) {
    Random random(20260101);
    std::vector<ArithmeticProblem> problems;
    for (int64_t i = 0; i < count; ++i) {
        const uint32_t bound = i % 2 == 0 ? 10 : 100;
        const bool plus = random.below(2) == 0;
        int64_t a = int64_t(random.below(bound)), b = int64_t(random.below(bound));
        if (!plus && a < b) std::swap(a, b);
        problems.push_back({cat(solved, a, plus ? " + " : " - ", b, " ="), plus ? a + b : a - b});
    }
    return problems;
}

std::optional<int64_t> leading_number(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    const std::string_view rest = text.substr(end);
    if (rest.size() > 1 && (rest[0] == '.' || rest[0] == ',') && rest[1] >= '0' && rest[1] <= '9')
        return std::nullopt;
    return parse_int(text.substr(0, end));
}

Result<TaskScore> score_arithmetic(Session& session, std::span<const ArithmeticProblem> problems,
                                   const TaskDone& done) {
    const Tokenizer& tokenizer = *session.model().tokenizer();
    TaskScore score;
    for (const ArithmeticProblem& problem : problems) {
        session.truncate(0);
        std::vector<Token> tokens =
            tokenizer.encode(problem.prompt, {.add_special = true, .parse_special = false});
        INGLE_TRY(session.feed(tokens));
        const std::string prompt = tokenizer.decode(tokens);
        for (int64_t i = 0; i < tokens_max; ++i) {
            const Token next = Token(std::ranges::max_element(session.logits()) - session.logits().begin());
            if (tokenizer.is_end_of_generation(next)) break;
            tokens.push_back(next);
            INGLE_TRY(session.feed({&next, 1}));
        }
        const std::string text = tokenizer.decode(tokens);
        const auto number = leading_number(std::string_view(text).substr(std::min(prompt.size(), text.size())));
        score.tasks += 1;
        score.right += number == problem.answer ? 1 : 0;
        INGLE_TRY(done(score));
    }
    return score;
}

}  // namespace ingle::evaluate
