#include <gtest/gtest.h>

#include "cli/parse.h"
#include "support/fixtures.h"

namespace ingle::cli {

TEST(@Name@Verb, is_found_by_name_and_checks_its_flags) {
    const Verb* const verb = find_verb("@flag@");
    ASSERT_NE(verb, nullptr);
    const auto nothing = [](const std::string&) { return std::optional<std::string>(); };
    const std::vector<std::string> good = {"--count", "2"};
    EXPECT_OK(parse(*verb, good, nothing));
    const std::vector<std::string> bad = {"--count", "0"};
    EXPECT_FALSE(parse(*verb, bad, nothing).ok());
}

}  // namespace ingle::cli
