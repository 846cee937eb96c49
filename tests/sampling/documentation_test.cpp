// docs/sampling.md is written from the declarations. After a change of options run the test with
// INGLE_UPDATE_DOCS=1 and commit the new page.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>

#include "base/text.h"
#include "sampling/sampling_support.h"

namespace ingle::sampling {

namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) out += c == '\n' ? "\\n" : c == '|' ? "\\|" : std::string(1, c);
    return out;
}

std::string show(const OptionValue& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "on" : "off";
    if (const auto* integer = std::get_if<int64_t>(&value)) return cat(*integer);
    if (const auto* real = std::get_if<double>(&value)) return cat(*real);
    if (const auto* text = std::get_if<std::string>(&value)) return "`" + escaped(*text) + "`";
    std::string out;
    for (const std::string& word : std::get<std::vector<std::string>>(value))
        out += cat(out.empty() ? "" : " ", "`", escaped(word), "`");
    return out.empty() ? "none" : out;
}

std::string range(const Option& option) {
    if (std::isfinite(option.min) && std::isfinite(option.max))
        return cat(option.min, " to ", option.max);
    if (std::isfinite(option.min)) return cat("at least ", option.min);
    if (std::isfinite(option.max)) return cat("at most ", option.max);
    return "";
}

std::string environment(const Option& option) {
    std::string name = option.environment.empty() ? option.name : option.environment;
    for (char& c : name) c = char(std::toupper(static_cast<unsigned char>(c)));
    return name;
}

std::string row(const Option& option) {
    std::string flags;
    for (const std::string_view flag : split(option.flags, ','))
        if (!flag.empty()) flags += cat(flags.empty() ? "" : ", ", "`", flag, "`");
    return cat("| ", flags.empty() ? "" : flags, " | ", flags.empty() ? "" : environment(option),
               " | `", option.name, "` | ", show(option.default_value), " | ", range(option), " | ",
               escaped(option.help), " |\n");
}

constexpr std::string_view table_head =
    "| flag | environment | JSON field | default | range | meaning |\n|---|---|---|---|---|---|\n";

std::string page() {
    std::string out =
        "# Sampling\n\n"
        "Written from the declarations in `src/sampling`; do not edit "
        "(see `tests/sampling/documentation_test.cpp`).\n\n"
        "A token is drawn in four steps: the grammar's mask and biases (`logit_bias`, `ignore_eos`);\n"
        "the samplers in their order; mirostat or adaptive-p, if one is on; one draw. The environment\n"
        "column is what follows `INGLE_` or `LLAMA_ARG_`. Numbers must be finite.\n\n"
        "Default order: `";
    std::string order;
    for (const std::string& name : default_samplers()) order += (order.empty() ? "" : ";") + name;
    out += order + "`, in letters `" + default_sampler_sequence() + "`.\n\n";
    out += "The same seed gives the same tokens for the same logits on every platform: the\n"
           "generator (mt19937), the draw, exp and log are our own, made of IEEE operations in a\n"
           "fixed order. One number is drawn for a token: u of the sum of the probabilities, from the\n"
           "likeliest token on (by id if more than 1024 are left). So a seed gives the same text as\n"
           "with llama.cpp as long as the logits agree and mirostat, adaptive-p and XTC are off.\n\n"
           "A NaN logit counts as -inf. Logits of +inf are drawn alone, equally likely. A row without\n"
           "any possible token is an error of that request. Equal logits rank by token id, the lower\n"
           "first.\n\n";
    out += "## The chain\n\n" + std::string(table_head);
    std::set<std::string> owned;
    for (const SamplerKind* kind : sampler_kinds())
        for (const Option& option : kind->options()) owned.insert(option.name);
    for (const Option& option : sampling_options())
        if (!owned.contains(option.name)) out += row(option);
    std::vector<const SamplerKind*> kinds(sampler_kinds().begin(), sampler_kinds().end());
    std::ranges::stable_sort(kinds, {}, [](const SamplerKind* kind) {
        return kind->position > 0 ? kind->position : 1000;
    });
    for (const SamplerKind* kind : kinds) {
        out += cat("\n## ", kind->name, "\n\n");
        if (kind->letter != 0) out += cat("Letter `", kind->letter, "`. ");
        if (!kind->aliases.empty()) out += cat("Also called ", kind->aliases, ". ");
        if (kind->role == Role::choose)
            out += kind->replaces_truncation
                       ? "Always last; replaces the samplers that remove tokens. "
                       : "Always last. ";
        out += cat("Off: ", kind->off, ".\n\n");
        const std::vector<Option> options = kind->options();
        if (!options.empty()) out += table_head;
        for (const Option& option : options) out += row(option);
    }
    return out;
}

}  // namespace

TEST(Documentation, the_page_says_what_the_declarations_say) {
    const std::filesystem::path path = ingle::test::source_dir() / "docs" / "sampling.md";
    if (std::getenv("INGLE_UPDATE_DOCS") != nullptr) std::ofstream(path) << page();
    EXPECT_EQ(ingle::test::bytes_of(path), page());
}

TEST(Documentation, every_option_has_a_help_text_and_its_own_name) {
    std::set<std::string> names, flags;
    for (const Option& option : sampling_options()) {
        EXPECT_TRUE(names.insert(option.name).second) << option.name;
        EXPECT_FALSE(option.help.empty()) << option.name;
        for (const std::string_view flag : split(option.flags, ','))
            EXPECT_TRUE(flag.empty() || flags.emplace(flag).second) << flag;
    }
}

TEST(Documentation, sampler_names_aliases_and_letters_are_unique) {
    std::set<std::string> words;
    std::set<char> letters;
    for (const SamplerKind* kind : sampler_kinds()) {
        EXPECT_TRUE(words.emplace(kind->name).second) << kind->name;
        for (const std::string_view alias : split(kind->aliases, ','))
            EXPECT_TRUE(alias.empty() || words.emplace(alias).second) << alias;
        EXPECT_TRUE(kind->letter == 0 || letters.insert(kind->letter).second) << kind->letter;
    }
}

}  // namespace ingle::sampling
