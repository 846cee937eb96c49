#include <gtest/gtest.h>

#include "support.h"
#include "evaluate/tasks/arithmetic.h"
#include "evaluate/tasks/task.h"

namespace ingle::evaluate {

namespace {

const TaskDone quiet = [](const TaskScore&) { return Status(); };

class Tasks : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        auto model = open_model(tiny_model(), {.threads = 2});
        ASSERT_OK(model);
        model_ = *model;
    }
    static void TearDownTestSuite() { model_.reset(); }
    const Tokenizer& tokenizer() const { return *model_->tokenizer(); }

    static std::shared_ptr<const Model> model_;
};
std::shared_ptr<const Model> Tasks::model_;

std::string number(uint32_t value) { return std::string(reinterpret_cast<const char*>(&value), 4); }
std::string text(std::string_view value) { return number(uint32_t(value.size())) + std::string(value); }

// The same question for all three readers; the story model knows how its stories begin.
TEST_F(Tasks, all_forms_score_the_likelier_ending) {
    const auto hellaswag = read_hellaswag(
        tokenizer(), "Once upon a time, there was a little girl\n2\nbanana was of\nrun of at\n"
                     "named Lily. She loved to play\nthe the the the\n", 0);
    ASSERT_OK(hellaswag);
    ASSERT_EQ(hellaswag->size(), 1u);
    const std::string set = number(2) + text("of of of of") + text("named Lily. She loved") + number(0) +
                            number(1);
    const auto choices = read_multiple_choice(
        tokenizer(), number(1) + number(0) + text("Once upon a time, there was a little girl") + set +
                         number(0), 0);
    ASSERT_OK(choices);
    const auto winogrande = read_winogrande(
        tokenizer(), "7,\"Lily, was a little girl. _ was sad. She cried.\",Rock,Lily,2\n", 0);
    ASSERT_OK(winogrande);
    for (const auto* tasks : {&*hellaswag, &*choices, &*winogrande}) {
        const auto session = Session::open(model_, {.context_tokens = 128, .outputs_max = 4});
        ASSERT_OK(session);
        const auto score = score_tasks(**session, *tasks, quiet);
        ASSERT_OK(score);
        EXPECT_EQ(score->right, 1);
        EXPECT_EQ(score->tasks, 1);
    }
}

// A shared prefix, computed once, gives what a computation of each answer alone gives.
TEST_F(Tasks, scores_do_not_depend_on_how_logits_are_computed) {
    const auto task = continuation_task(tokenizer(), "Tom saw a big", {{"dog in the park.", "red ball."}},
                                        {true, false});
    ASSERT_OK(task);
    Task swapped = *task;
    std::swap(swapped.answers[0], swapped.answers[1]);
    swapped.right = {false, true};
    const std::vector<Task> tasks = {*task, swapped};
    const auto session = Session::open(model_, {.context_tokens = 64, .outputs_max = 1});
    ASSERT_OK(session);
    const auto score = score_tasks(**session, tasks, quiet);
    ASSERT_OK(score);
    EXPECT_TRUE(score->right == 0 || score->right == 2);
    EXPECT_EQ(score->chance, 1);
}

TEST_F(Tasks, faults_are_named_by_line) {
    const auto message = [](const auto& result) {
        return result.ok() ? std::string("ok") : result.status().message();
    };
    EXPECT_NE(message(read_hellaswag(tokenizer(), "a\n0\nb\nc\nd", 0)).find("5 lines"), std::string::npos);
    EXPECT_NE(message(read_hellaswag(tokenizer(), "a\n4\nb\nc\nd\ne\n", 0)).find("line 2"),
              std::string::npos);
    EXPECT_NE(message(read_hellaswag(tokenizer(), "a\n0\nb\nb\nb\nb\n", 0)).find("line 1"),
              std::string::npos);
    EXPECT_FALSE(read_hellaswag(tokenizer(), "", 0).ok());
    EXPECT_NE(message(read_winogrande(tokenizer(), "0,a _ b,x,y,1\n1,no gap,x,y,2\n", 0)).find("line 2"),
              std::string::npos);
    EXPECT_FALSE(read_winogrande(tokenizer(), "0,a _ b,x,y,3\n", 0).ok());
    EXPECT_FALSE(read_winogrande(tokenizer(), "0,a _ b,x,y\n", 0).ok());
    EXPECT_FALSE(read_winogrande(tokenizer(), "0,_,,,1\n", 0).ok());
    EXPECT_FALSE(read_winogrande(tokenizer(), "\n\n", 0).ok());
    EXPECT_OK(read_winogrande(tokenizer(), "0,a _ b,x,y,1\n1,no gap,x,y,2\n", 1));
}

TEST_F(Tasks, every_cut_of_a_binary_file_is_refused) {
    const std::string whole = number(1) + number(0) + text("Q") + number(2) + text("a cat") +
                              text("dog") + number(1) + number(0) + number(0);
    EXPECT_OK(read_multiple_choice(tokenizer(), whole, 0));
    for (size_t length = 0; length < whole.size(); ++length)
        EXPECT_FALSE(read_multiple_choice(tokenizer(), whole.substr(0, length), 0).ok()) << length;
    EXPECT_FALSE(read_multiple_choice(tokenizer(), number(0xffffffff) + whole, 0).ok());
}

// llama-perplexity --hellaswag gets 4 of these 12 right with this model, too.
TEST(RealTasks, hellaswag_is_scored_as_llama_perplexity_scores_it) {
    const auto file = test::real_model("SmolLM2-135M-Instruct.Q4_1.gguf");
    INGLE_NEEDS(file);
    const auto sample = test::fixtures() / "eval" / "hellaswag-sample.txt";
    INGLE_NEEDS(sample);
    const auto model = open_model(file, {.threads = 2});
    ASSERT_OK(model);
    const auto tasks = read_hellaswag(*(*model)->tokenizer(), test::bytes_of(sample), 0);
    ASSERT_OK(tasks);
    EXPECT_EQ(tasks->size(), 12u);
    const auto session =
        Session::open(*model, {.context_tokens = longest_answer(*tasks), .outputs_max = 8});
    ASSERT_OK(session);
    const auto score = score_tasks(**session, *tasks, quiet);
    ASSERT_OK(score);
    EXPECT_EQ(score->right, 4);
    const auto [low, high] = score->interval();
    EXPECT_NEAR(low, 0.138120, 1e-5);
    EXPECT_NEAR(high, 0.609378, 1e-5);
}

TEST(Arithmetic, only_the_whole_number_counts) {
    EXPECT_EQ(leading_number(" 42\n7 + 1"), 42);
    EXPECT_EQ(leading_number("  42."), 42);
    EXPECT_EQ(leading_number("42 apples"), 42);
    EXPECT_FALSE(leading_number("42.5"));
    EXPECT_FALSE(leading_number("1,000"));
    EXPECT_FALSE(leading_number("forty"));
    EXPECT_FALSE(leading_number(""));
    EXPECT_FALSE(leading_number(" 99999999999999999999"));
}

TEST(Arithmetic, problems_are_right_and_the_same_every_time) {
    const auto problems = arithmetic_problems(200);
    EXPECT_EQ(problems[57].prompt, arithmetic_problems(58)[57].prompt);
    for (const ArithmeticProblem& problem : problems) {
        const std::string last = problem.prompt.substr(problem.prompt.rfind('\n') + 1);
        int a = 0, b = 0;
        char sign = 0;
        ASSERT_EQ(std::sscanf(last.c_str(), "%d %c %d =", &a, &sign, &b), 3) << last;
        EXPECT_EQ(problem.answer, sign == '+' ? a + b : a - b);
        EXPECT_GE(problem.answer, 0);
    }
}

}  // namespace

}  // namespace ingle::evaluate
