#include "base/simd/isa.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/log.h"

namespace ingle::cpu {

TEST(Isa, the_environment_chooses_and_nonsense_is_warned_of) {
    std::vector<std::string> lines;
    set_log_sink([&](LogLevel, std::string_view line) { lines.emplace_back(line); });
    const Isa best = supported_isas().back();
    EXPECT_EQ(choose_isa(nullptr), best);
    EXPECT_EQ(choose_isa(""), best);
    EXPECT_EQ(choose_isa("v1"), Isa::baseline);
    EXPECT_TRUE(lines.empty());
    EXPECT_EQ(choose_isa("sse9"), best);
    set_log_sink({});
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0], "INGLE_ISA='sse9' is none of v1, avx2, avx512; using " +
                            std::string(to_string(best)));
}

TEST(Isa, names_read_back) {
    for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512})
        EXPECT_EQ(parse_isa(to_string(isa)), isa);
    EXPECT_FALSE(parse_isa("AVX2"));
}

TEST(Isa, the_baseline_is_always_supported) {
    EXPECT_TRUE(supported(Isa::baseline));
}

}  // namespace ingle::cpu
