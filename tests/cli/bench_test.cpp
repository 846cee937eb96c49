// Plans, reports and what another program says.
#include <gtest/gtest.h>

#include "cli/bench_compare.h"
#include "cli/parse.h"
#include "support/fixtures.h"

namespace ingle::cli {

namespace {

Result<BenchPlan> plan_of(const std::vector<std::string>& words) {
    INGLE_ASSIGN(const Invocation invocation,
                 parse(*find_verb("bench"), words, [](const std::string&) { return std::nullopt; }));
    return read_plan(invocation);
}

TEST(BenchPlan, lists_make_every_combination) {
    const auto plan = plan_of({"-m", "a.gguf,b.gguf", "c.gguf", "-p", "8,16", "-n", "4", "-pg", "8,4", "-pg", "16,2",
                               "-d", "0-64+64", "-t", "1", "-t", "2-3", "-ub", "32,64", "-b", "48", "-ctv", "f32"});
    ASSERT_OK(plan);
    EXPECT_EQ(plan->models, (std::vector<std::string>{"a.gguf", "b.gguf", "c.gguf"}));
    EXPECT_EQ(plan->threads, (std::vector<int64_t>{1, 2, 3}));
    ASSERT_EQ(plan->settings.size(), 2u);
    EXPECT_EQ(plan->settings[1].chunk_tokens, 48);  // not more than -b
    EXPECT_EQ(plan->settings[0].value_type, "f32");
    std::vector<std::string> names;
    for (const BenchTest& test : plan->tests) names.push_back(test.name());
    EXPECT_EQ(names, (std::vector<std::string>{"pp8", "pp16", "tg4", "pp8+tg4", "pp16+tg2", "pp8 @ d64",
                                               "pp16 @ d64", "tg4 @ d64", "pp8+tg4 @ d64", "pp16+tg2 @ d64"}));
}

TEST(BenchPlan, defaults_are_llama_benchs) {
    const auto plan = plan_of({"-m", "a.gguf"});
    ASSERT_OK(plan);
    ASSERT_EQ(plan->tests.size(), 2u);
    EXPECT_EQ(plan->tests[0].name(), "pp512");
    EXPECT_EQ(plan->tests[1].name(), "tg128");
    EXPECT_EQ(plan->settings[0].batch_tokens, 2048);
    EXPECT_EQ(plan->settings[0].chunk_tokens, 512);
    EXPECT_FALSE(plan_of({"-m", "a.gguf", "-p", "0", "-n", "0"}).ok());
    EXPECT_OK(plan_of({"-m", "a.gguf", "-p", "0", "-n", "0", "-pg", "1,1"}));
}

BenchRow row() {
    BenchRow row;
    row.model_file = "it's \"a\", b.gguf";
    row.model_type = "llama 1B";
    row.test = {512, 0, 0};
    row.samples_ns = {256'000'000, 512'000'000};
    return row;
}

TEST(BenchReport, means_and_deviations_are_of_the_samples) {
    const MeanDeviation speed = row().tokens_per_second();
    EXPECT_DOUBLE_EQ(speed.mean, 1500);
    EXPECT_NEAR(speed.deviation, 707.1067811865476, 1e-9);
    EXPECT_EQ(mean_deviation({3}).deviation, 0);
}

TEST(BenchReport, quotes_inside_values_are_doubled) {
    EXPECT_NE(report_row("csv", row()).find("\"it's \"\"a\"\", b.gguf\""), std::string::npos);
    EXPECT_NE(report_row("sql", row()).find("'it''s \"a\", b.gguf'"), std::string::npos);
    EXPECT_NE(report_head("sql", row()).find("avg_ts REAL"), std::string::npos);
}

TEST(BenchReport, a_column_appears_where_a_setting_is_unusual) {
    BenchRow other = row();
    EXPECT_EQ(report_all("md", {row(), other}).find("n_ubatch"), std::string::npos);
    other.setting.chunk_tokens = 64;
    EXPECT_NE(report_all("md", {row(), other}).find("n_ubatch"), std::string::npos);
    EXPECT_NE(report_all("md", {row(), other}).find("1500.00 ± 707.11"), std::string::npos);
    other.roof_share = 0.424;
    EXPECT_NE(report_all("md", {row(), other}).find("| 42 % |"), std::string::npos);
}

TEST(BenchCompare, the_other_programs_lines_are_read) {
    const auto results = parse_peer("{\"n_prompt\": 512, \"n_gen\": 0, \"n_depth\": 16, \"avg_ts\": 19.25, \"x\": 1}\n"
                                    "{\"n_prompt\":0,\"n_gen\":64,\"avg_ts\":3}\n\n");
    ASSERT_OK(results);
    ASSERT_EQ(results->size(), 2u);
    EXPECT_EQ((*results)[0].test.name(), "pp512 @ d16");
    EXPECT_EQ((*results)[0].tokens_per_second, 19.25);
    EXPECT_EQ((*results)[1].test.name(), "tg64");
    for (const char* wrong : {"", "hello", "{\"n_prompt\": 1, \"n_gen\": 0}", "{\"n_prompt\":1,\"n_gen\":0,\"avg_ts\":0}"})
        EXPECT_FALSE(parse_peer(wrong).ok()) << wrong;
}

TEST(BenchCompare, the_median_is_the_middle) {
    EXPECT_EQ(median_of({3, 1, 2}), 2);
    EXPECT_EQ(median_of({4, 1, 2, 3}), 2.5);
    EXPECT_EQ(median_of({7}), 7);
}

}  // namespace

}  // namespace ingle::cli
