#include "cli/manual.h"

#include <algorithm>

#include "base/text.h"
#include "base/version.h"
#include "cli/exit_code.h"
#include "cli/help.h"
#include "cli/parse.h"

namespace ingle::cli {

namespace {

// Text as roff takes it literally: dashes stay ASCII, and no line begins with a request.
std::string escaped(std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool line_begins = i == 0 || text[i - 1] == '\n';
        if (line_begins && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\\') out += "\\e";
        else if (c == '-') out += "\\-";
        else if (c == '^') out += "\\(ha";
        else if (c == '~') out += "\\(ti";
        else if (c == '`') out += "\\(ga";
        else if (c == '\'') out += "\\(aq";
        else out += c;
    }
    return out;
}

std::string capitals(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
    return out;
}

// Without a date: the same source gives the same bytes.
std::string title(std::string_view name, std::string_view summary) {
    return cat(".TH ", escaped(capitals(name)), " 1 \"\" \"ingle ", version_text, "\" \"User Commands\"\n.SH NAME\n",
               escaped(name), " \\- ", escaped(summary), "\n");
}

std::string section(std::string_view heading) { return cat(".SH ", capitals(heading), "\n"); }

// Lines as they stand, e.g. examples and tables.
std::string verbatim(std::string_view text) {
    std::string out = ".nf\n";
    for (const std::string_view line : split(text, '\n'))
        out += line.empty() ? ".sp\n" : cat(escaped(line), "\n");
    return out + ".fi\n";
}

std::string option_entry(const Option& option) {
    std::string flags;
    for (const Spelling& spelling : spellings_of(option))
        flags += cat(flags.empty() ? "" : ", ", "\\fB", escaped(spelling.text), "\\fR");
    if (!option.placeholder.empty()) flags += cat(" \\fI", escaped(option.placeholder), "\\fR");
    std::string text = escaped(option.help);
    std::string choices;
    for (const std::string& choice : option.choices) choices += cat(choices.empty() ? "" : ", ", choice);
    if (!choices.empty()) text += cat("\nOne of ", escaped(choices), ".");
    const std::string initial = default_text(option);
    if (!initial.empty()) text += cat("\nDefault: ", escaped(initial), ".");
    return cat(".TP\n", flags, "\n", text, "\n");
}

std::string options_section(const Verb& verb) {
    const std::vector<Option> options = options_of(verb);
    std::vector<std::string> groups;
    for (const Option& option : options)
        if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
    std::string out = section("Options");
    for (const std::string& group : groups) {
        out += cat(".SS ", escaped(group.empty() ? "Flags" : group), "\n");
        for (const Option& option : options)
            if (option.group == group && !option.flags.empty()) out += option_entry(option);
    }
    return out;
}

std::string closing_sections() {
    std::string out = section("Environment") +
                      "A flag \\fB\\-\\-some\\-name\\fR may also be set as \\fBINGLE_SOME_NAME\\fR or "
                      "\\fBLLAMA_ARG_SOME_NAME\\fR; the flag wins, then the first of the two.\n" +
                      section("Exit status");
    for (const ExitCodeMeaning& entry : exit_code_meanings())
        out += cat(".TP\n.B ", int(entry.code), "\n", escaped(entry.meaning), "\n");
    return out;
}

}  // namespace

std::string manual_page() {
    std::string page = title("ingle", "runs large language models on this machine") + section("Synopsis") +
                       ".B ingle\n.I VERB\n[\\fIFLAGS\\fR] [\\fIWORDS\\fR]\n" + section("Verbs");
    for (const Verb* const verb : all_verbs())
        page += cat(".TP\n.B ", escaped(verb->name), "\n", escaped(verb->summary), "; see\n.BR ingle\\-",
                    escaped(verb->name), " (1)\n");
    return page + closing_sections();
}

std::string manual_page(const Verb& verb) {
    std::string page = title(cat("ingle-", verb.name), verb.summary) + section("Synopsis") +
                       cat(".B ingle ", escaped(verb.name), "\n[\\fIFLAGS\\fR]", verb.arguments.empty() ? "" : " ",
                           escaped(verb.arguments), "\n");
    if (!verb.about.empty()) page += section("Description") + verbatim(verb.about);
    if (verb.table != nullptr) page += verbatim(verb.table());
    return page + options_section(verb) + closing_sections() + section("See also") + ".BR ingle (1)\n";
}

}  // namespace ingle::cli
