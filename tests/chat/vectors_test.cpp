// What Python's jinja2 gives for thousands of small templates: data/jinja_vectors.jsonl, by
// make_jinja_vectors.py.
#include <gtest/gtest.h>

#include <fstream>

#include "chat/template.h"
#include "support/fixtures.h"

namespace ingle::chat {

TEST(JinjaVectors, outputs_are_byte_equal_and_what_fails_in_the_reference_fails_here) {
    const auto path = test::source_dir() / "tests/chat/data/jinja_vectors.jsonl";
    std::ifstream rows(path);
    std::string row;
    ASSERT_TRUE(std::getline(rows, row)) << path;
    ChatInput input;
    input.variables = Json::parse(row)["context"];
    input.now = parse_clock("2024-07-26 12:34:56").value();
    input.adapt = Adapt::never;
    int wrong = 0, count = 0;
    while (std::getline(rows, row)) {
        const Json expected = Json::parse(row);
        const std::string source = expected["template"];
        const auto parsed = ChatTemplate::parse(source);
        const auto rendered =
            parsed.ok() ? parsed->render(input) : Result<Rendered>(parsed.status());
        const std::string found =
            rendered.ok() ? rendered->text : "error: " + rendered.status().message();
        const bool same =
            expected.contains("output")
                ? rendered.ok() && rendered->text == expected["output"].get<std::string>()
                : !rendered.ok();
        ++count;
        if (same) continue;
        ++wrong;
        if (wrong <= 40)
            ADD_FAILURE() << source << "\nexpected " << expected.dump() << "\nfound    " << found;
    }
    EXPECT_EQ(wrong, 0) << "of " << count;
    EXPECT_GT(count, 2000);
}

}  // namespace ingle::chat
