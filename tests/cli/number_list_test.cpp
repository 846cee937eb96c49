#include "cli/number_list.h"

#include <gtest/gtest.h>

namespace ingle::cli {

namespace {

std::string listed(std::string_view text) {
    const auto numbers = parse_number_list(text, "-p", 0, 4096);
    if (!numbers.ok()) return "refused";
    std::string out;
    for (const int64_t number : *numbers) out += (out.empty() ? "" : " ") + cat(number);
    return out;
}

}  // namespace

TEST(NumberList, single_numbers_lists_and_ranges_are_read) {
    EXPECT_EQ(listed("512"), "512");
    EXPECT_EQ(listed("1,2, 7"), "1 2 7");
    EXPECT_EQ(listed("1-4"), "1 2 3 4");
    EXPECT_EQ(listed("64-512*2"), "64 128 256 512");
    EXPECT_EQ(listed("0-100+50,7"), "0 50 100 7");
}

TEST(NumberList, whatever_is_no_list_is_refused) {
    for (const char* const text : {"", "a", "-1", "4-1", "1-4*1", "1-4+0", "0-4*2", "5000", "1,,2",
                                   "0-4000", "1-", "99999999999999999999"})
        EXPECT_EQ(listed(text), "refused") << text;
}

}  // namespace ingle::cli
