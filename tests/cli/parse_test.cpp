// The command line: one schema, two parsers, one behaviour.
#include "cli/parse.h"

#include <gtest/gtest.h>

#include <map>

#include "cli/verb.h"
#include "support/fixtures.h"

namespace ingle::cli {

namespace {

std::vector<Option> sample_options() {
    return {
        {.name = "prompt", .flags = "-p,--prompt", .placeholder = "TEXT",
         .default_value = std::string(), .help = ""},
        {.name = "temperature", .flags = "--temp,--temperature", .placeholder = "T",
         .default_value = 0.8, .help = "", .environment = "TEMP"},
        {.name = "ctx_size", .flags = "-c,--ctx-size", .placeholder = "N",
         .default_value = int64_t(0), .help = "", .min = 0},
        {.name = "threads", .flags = "-t,--threads", .placeholder = "N",
         .default_value = int64_t(-1), .help = ""},
        {.name = "gpu_layers", .flags = "-ngl,--gpu-layers,--n-gpu-layers", .placeholder = "N",
         .default_value = std::string("auto"), .help = "", .environment = "N_GPU_LAYERS"},
        {.name = "flash", .flags = "-fa,--flash-attn", .placeholder = "WHEN",
         .default_value = std::string("auto"), .help = "", .choices = {"on", "off", "auto"},
         .implied = "on"},
        {.name = "jinja", .flags = "--jinja,!--no-jinja", .placeholder = "",
         .default_value = true, .help = ""},
        {.name = "stop", .flags = "-r,--reverse-prompt", .placeholder = "TEXT",
         .default_value = std::vector<std::string>(), .help = ""},
        {.name = "only_json", .flags = "", .placeholder = "N", .default_value = int64_t(0),
         .help = ""},
    };
}

const Verb sample = {.name = "sample", .group = "", .summary = "", .arguments = "[WORD]...",
                     .about = "", .options = sample_options, .run = nullptr};

using Words = std::vector<std::string>;
using Variables = std::map<std::string, std::string>;

Result<Invocation> parsed(const Words& words, const Variables& variables = {}) {
    return parse(sample, words, [&](const std::string& name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        if (found == variables.end()) return std::nullopt;
        return found->second;
    });
}

// Every value as text, or the error: what two parsers must agree on.
std::string outcome(Status (*assign_flags)(std::span<const std::string>, OptionValues&),
                    const Words& words) {
    OptionValues values(sample_options());
    const auto rewritten = rewrite(values.options(), words);
    if (!rewritten.ok()) return rewritten.status().message();
    if (const Status status = assign_flags(rewritten->flags, values); !status.ok())
        return status.message();
    std::string out = cat(values.text("prompt"), '|', values.real("temperature"), '|',
                          values.integer("ctx_size"), '|', values.integer("threads"), '|',
                          values.text("gpu_layers"), '|', values.text("flash"), '|',
                          values.flag("jinja"));
    for (const std::string& stop : values.list("stop")) out += "|" + stop;
    for (const std::string& word : rewritten->arguments) out += "+" + word;
    return out;
}

}  // namespace

TEST(CommandLine, both_parsers_read_the_same) {
    const std::vector<std::pair<Words, std::string>> cases = {
        {{}, "|0.8|0|-1|auto|auto|true"},
        {{"-p", "hi", "--temp", "0.1", "-c", "512"}, "hi|0.1|512|-1|auto|auto|true"},
        {{"--prompt=a=b", "--ctx-size=5"}, "a=b|0.8|5|-1|auto|auto|true"},
        {{"-p", ""}, "|0.8|0|-1|auto|auto|true"},
        {{"--prompt="}, "|0.8|0|-1|auto|auto|true"},
        {{"-p", "-5 degrees", "-p", "--temp"}, "--temp|0.8|0|-1|auto|auto|true"},
        {{"-p", "[1,2]"}, "[1,2]|0.8|0|-1|auto|auto|true"},
        {{"-p", "{}"}, "{}|0.8|0|-1|auto|auto|true"},
        {{"-p", "a\nb\t\"c\" 'd' \\n"}, "a\nb\t\"c\" 'd' \\n|0.8|0|-1|auto|auto|true"},
        {{"-ngl", "99", "-t", "-1"}, "|0.8|0|-1|99|auto|true"},
        {{"-t4", "-c16"}, "|0.8|16|4|auto|auto|true"},
        {{"-fa", "-c", "1"}, "|0.8|1|-1|auto|on|true"},
        {{"-fa", "off"}, "|0.8|0|-1|auto|off|true"},
        {{"--no-jinja"}, "|0.8|0|-1|auto|auto|false"},
        {{"--no-jinja", "--jinja"}, "|0.8|0|-1|auto|auto|true"},
        {{"--jinja=off"}, "|0.8|0|-1|auto|auto|false"},
        {{"-r", "A", "-r", "[B,C]", "-r", "-D"}, "|0.8|0|-1|auto|auto|true|A|[B,C]|-D"},
        {{"one", "-", "-7", "-c", "2", "two", "--", "--three"},
         "|0.8|2|-1|auto|auto|true+one+-+-7+two+--three"},
        {{"-c", "1", "-c", "2"}, "|0.8|2|-1|auto|auto|true"},
        {{"--no-jinja=1"}, "--no-jinja: takes no value"},
        {{"-c", "-3"}, "-c: expected a whole number of at least 0, found '-3'"},
        {{"--temp", "warm"}, "--temp: expected a number, found 'warm'"},
        {{"-p"}, "-p: expected a value (TEXT) after it, found the end of the command"},
        {{"--tmp", "1"}, "unknown flag '--tmp'; did you mean --temp?"},
        {{"-ngk", "1"}, "unknown flag '-ngk'; did you mean -ngl?"},
        {{"-qqqqqqqqqqqq"}, "unknown flag '-qqqqqqqqqqqq'"},
        {{"-fa=sometimes"}, "-fa: expected one of on, off, auto, found 'sometimes'"},
    };
    for (const auto& [words, expected] : cases) {
        EXPECT_EQ(outcome(assign_with_cli11, words), expected);
        EXPECT_EQ(outcome(assign_plainly, words), expected);
    }
}

TEST(CommandLine, a_flag_wins_over_ingle_over_llama_over_the_default) {
    Variables variables = {{"LLAMA_ARG_CTX_SIZE", "7"}, {"LLAMA_ARG_TEMP", "0.3"}};
    EXPECT_EQ(parsed({}, variables)->values.integer("ctx_size"), 7);
    EXPECT_EQ(parsed({}, variables)->values.real("temperature"), 0.3);
    variables["INGLE_CTX_SIZE"] = "8";
    EXPECT_EQ(parsed({}, variables)->values.integer("ctx_size"), 8);
    EXPECT_EQ(parsed({"-c", "0"}, variables)->values.integer("ctx_size"), 0);
}

TEST(CommandLine, a_wrong_variable_is_named) {
    EXPECT_EQ(parsed({}, {{"LLAMA_ARG_CTX_SIZE", "big"}}).status().message(),
              "LLAMA_ARG_CTX_SIZE: -c: expected a whole number of at least 0, found 'big'");
}

TEST(CommandLine, a_bool_variable_may_be_negated) {
    EXPECT_FALSE(parsed({}, {{"LLAMA_ARG_NO_JINJA", "1"}})->values.flag("jinja"));
    EXPECT_FALSE(parsed({}, {{"LLAMA_ARG_JINJA", "disabled"}})->values.flag("jinja"));
}

TEST(CommandLine, help_is_found_before_anything_else_is_judged) {
    EXPECT_TRUE(parsed({"word", "--help"})->help);
    EXPECT_TRUE(parsed({"-h"}, {{"INGLE_CTX_SIZE", "bad"}})->help);
}

TEST(CommandLine, no_verb_declares_a_name_or_a_flag_twice) {
    for (const Verb* const verb : all_verbs()) {
        std::map<std::string, int> seen;
        for (const Option& option : options_of(*verb)) {
            EXPECT_EQ(++seen[option.name], 1) << verb->name << " " << option.name;
            EXPECT_FALSE(option.help.empty()) << verb->name << " " << option.name;
            for (const Spelling& spelling : spellings_of(option))
                EXPECT_EQ(++seen[spelling.text], 1) << verb->name << " " << spelling.text;
        }
    }
}

}  // namespace ingle::cli
