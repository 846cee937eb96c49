#include "cli/help.h"

#include <algorithm>

#include "base/simd/isa.h"
#include "base/platform.h"
#include "base/version.h"
#include "cli/exit_code.h"
#include "cli/parse.h"
#include "cli/terminal.h"

namespace ingle::cli {

namespace {

constexpr size_t text_width = 100;

// Breaks text at spaces; every line but the first starts with `indent` spaces.
std::string wrapped(std::string_view text, size_t indent) {
    std::string out;
    size_t column = indent;
    for (const std::string_view word : split(text, ' ')) {
        if (column + word.size() + 1 > text_width && column > indent) {
            out += "\n" + std::string(indent, ' ');
            column = indent;
        } else if (column > indent) {
            out += ' ';
        }
        out += word;
        column += word.size() + 1;
    }
    return out;
}

std::string padded(std::string_view text, size_t width) {
    return std::string(text) + std::string(text.size() < width ? width - text.size() : 1, ' ');
}

std::string heading(std::string_view text) {
    return styled_output(Style::bold, text) + "\n";
}

std::string option_entry(const Option& option) {
    std::string flags;
    for (const Spelling& spelling : spellings_of(option))
        flags += (flags.empty() ? "" : ", ") + spelling.text;
    if (!option.placeholder.empty()) flags += " " + option.placeholder;

    std::string help = option.help;
    std::string choices;
    for (const std::string& choice : option.choices)
        choices += (choices.empty() ? "" : ", ") + choice;
    if (!choices.empty()) help += " (one of " + choices + ")";
    const std::string initial = default_text(option);
    if (!initial.empty()) help += " (default: " + ingle::quoted(initial) + ")";

    constexpr size_t help_column = 34;
    std::string line = "  " + flags;
    line += line.size() < help_column - 1 ? std::string(help_column - line.size(), ' ')
                                          : "\n" + std::string(help_column, ' ');
    return line + wrapped(help, help_column) + "\n";
}

template <class Item, class Get>
std::vector<std::string> groups_of(const Item& items, Get group) {
    std::vector<std::string> groups;
    for (const auto& item : items)
        if (std::ranges::find(groups, group(item)) == groups.end())
            groups.emplace_back(group(item));
    return groups;
}

}  // namespace

std::string default_text(const Option& option) {
    if (const auto* integer = std::get_if<int64_t>(&option.default_value)) return cat(*integer);
    if (const auto* real = std::get_if<double>(&option.default_value)) return cat(*real);
    if (const auto* text = std::get_if<std::string>(&option.default_value)) return *text;
    return "";
}

std::string front_page() {
    std::string page =
        "ingle runs large language models on this machine: models in GGUF files, no account, no cloud.\n\n";
    for (const std::string& group : groups_of(all_verbs(), [](auto* v) { return v->group; })) {
        page += heading(group);
        for (const Verb* const verb : all_verbs())
            if (verb->group == group)
                page += cat("  ", padded(verb->name, 12), verb->summary, "\n");
        page += "\n";
    }
    page += heading("To begin");
    if (find_verb("chat") != nullptr)
        page += "  ingle chat -m MODEL.gguf                    talk with a model\n";
    if (find_verb("run") != nullptr)
        page += "  ingle run -m MODEL.gguf -p \"Once upon a\"     let it continue a text\n";
    page += "  ingle help VERB                             what a verb does, and its flags\n"
            "  ingle help exit-codes                       what the exit codes mean\n"
            "  ingle --version                             the version and the kernels chosen here\n\n"
            "Flags, short forms and environment variables of llama.cpp work here too.\n";
    return page;
}

std::string verb_page(const Verb& verb) {
    std::string page = cat("ingle ", verb.name, ": ", verb.summary, ".\n\n", heading("Usage"),
                           "  ingle ", verb.name, " [FLAGS]",
                           verb.arguments.empty() ? "" : " ", verb.arguments, "\n");
    if (!verb.about.empty()) page += cat("\n", verb.about, "\n");
    if (verb.table != nullptr) page += verb.table() + "\n";
    const std::vector<Option> options = options_of(verb);
    for (const std::string& group : groups_of(options, [](const auto& o) { return o.group; })) {
        page += "\n" + heading(group.empty() ? "Flags" : group);
        for (const Option& option : options)
            if (option.group == group && !option.flags.empty()) page += option_entry(option);
    }
    page += "\nEvery flag --some-name may also be set as INGLE_SOME_NAME or LLAMA_ARG_SOME_NAME in the"
            "\nenvironment. Exit codes: ingle help exit-codes.\n";
    return page;
}

std::string exit_code_page() {
    std::string page = "Exit codes of every verb:\n\n";
    for (const ExitCodeMeaning& entry : exit_code_meanings())
        page += cat("  ", padded(cat(int(entry.code)), 5), entry.meaning, "\n");
    return page;
}

std::string version_line() {
    return cat("ingle ", version_text, " (", platform::compiler_name(), ", ",
               platform::architecture_name(), "; kernels: ", cpu::to_string(cpu::best_isa()), ")");
}

}  // namespace ingle::cli
