// Presets files: which flags a model gets, and what is refused with its line.
#include "cli/preset.h"

#include <gtest/gtest.h>

namespace ingle::cli {

namespace {

std::vector<Option> options() {
    return {
        {.name = "model", .flags = "-m,--model", .placeholder = "FILE", .default_value = std::vector<std::string>(), .help = ""},
        {.name = "ctx_size", .flags = "-c,--ctx-size", .placeholder = "N", .default_value = int64_t(0), .help = "", .min = 0},
        {.name = "temperature", .flags = "--temp", .placeholder = "N", .default_value = 0.8, .help = "", .environment = "TEMP"},
        {.name = "jinja", .flags = "--jinja,!--no-jinja", .placeholder = "", .default_value = true, .help = ""},
        {.name = "host", .flags = "--host", .placeholder = "ADDRESS", .default_value = std::string(), .help = "",
         .group = "Network"},
    };
}

std::string fault_of(std::string_view text) {
    const auto presets = presets_of(text, OptionValues(options()));
    return presets.ok() ? "" : presets.status().message();
}

}  // namespace

TEST(Preset, a_section_wins_over_the_common_one_and_the_command_line_over_both) {
    OptionValues given(options());
    ASSERT_TRUE(given.set_text("temperature", "0.1").ok());
    const auto presets = presets_of(
        "version = 1\n; a comment\n[*]\nctx-size = 100\nno-jinja = true\n"
        "[one]\nmodel = a.gguf\nc = 200\ntemp = 0.5\nload-on-startup = 1\n\n[two]\nmodel=b.gguf\n",
        given);
    ASSERT_TRUE(presets.ok()) << presets.status().message();
    ASSERT_EQ(presets->size(), 2u);
    const Preset& one = (*presets)[0];
    EXPECT_EQ(one.name, "one");
    EXPECT_EQ(one.model, "a.gguf");
    EXPECT_TRUE(one.at_start);
    EXPECT_EQ(one.values.integer("ctx_size"), 200);
    EXPECT_EQ(one.values.real("temperature"), 0.1);
    EXPECT_FALSE(one.values.flag("jinja"));
    EXPECT_EQ((*presets)[1].values.integer("ctx_size"), 100);
    EXPECT_NE(one.definition, (*presets)[1].definition);
}

TEST(Preset, a_section_without_a_file_is_a_reference_and_variables_name_flags_too) {
    const auto presets = presets_of("[user/repo:Q8_0]\nLLAMA_ARG_TEMP = 0.25\n", OptionValues(options()));
    ASSERT_TRUE(presets.ok()) << presets.status().message();
    EXPECT_EQ((*presets)[0].model, "user/repo:Q8_0");
    EXPECT_EQ((*presets)[0].values.real("temperature"), 0.25);
}

TEST(Preset, what_is_wrong_is_named_with_its_line) {
    EXPECT_EQ(fault_of("[a]\nctx-sise = 1\n"), "line 2: 'ctx-sise': there is no such flag");
    EXPECT_EQ(fault_of("[a]\n\nctx-size = x\n"),
              "line 3: 'ctx-size': -c: expected a whole number of at least 0, found 'x'");
    EXPECT_EQ(fault_of("[a]\nhost = 0.0.0.0\n"),
              "line 2: 'host': is said for the whole server, on the command line");
    EXPECT_EQ(fault_of("[a\n"), "line 1: expected [name], found '[a'");
    EXPECT_EQ(fault_of("[a]\nmodel\n"), "line 2: expected key = value, found 'model'");
    EXPECT_EQ(fault_of("[a]\n[a]\n"), "the model 'a' has two sections");
    for (const std::string_view odd : {std::string_view("\0[[[]]=\n=", 9), std::string_view("[]"), std::string_view("=[]\n")})
        presets_of(odd, OptionValues(options())).ok();  // whatever it says, it ends
}

}  // namespace ingle::cli
