// The parser of the ordinary build: CLI11 over the schema. CLI11 collects the texts; the schema checks them,
// so that a flag, an environment variable and a JSON field are refused with the same words.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/parse.h"

namespace ingle::cli {

namespace {

constexpr char absent[] = "\x01";  // "no value": no text of a user's can be this flag default

std::string names_of(const Option& option) {
    std::string names;
    for (const Spelling& spelling : spellings_of(option))
        names += (names.empty() ? "--" : ",--") + spelling.key();
    return names;
}

// CLI11 takes "--key=" for a missing value: an empty one must be a word of its own.
std::vector<std::string> words_for_cli11(std::span<const std::string> flags) {
    std::vector<std::string> words;
    for (const std::string& flag : flags) {
        if (flag.find('=') + 1 == flag.size()) {
            words.push_back(flag.substr(0, flag.size() - 1));
            words.emplace_back();
        } else {
            words.push_back(flag);
        }
    }
    std::ranges::reverse(words);  // CLI11 takes them from the back
    return words;
}

void declare(CLI::App& app, const Option& option, OptionValues& values, Status& status) {
    const auto set = [&values, &status, name = option.name](const std::string& text) {
        if (status.ok()) status = values.set_text(name, text);
    };
    if (takes_value(option)) {
        app.add_option_function<std::string>(names_of(option), set)
            ->trigger_on_parse()
            ->take_last()
            ->allow_extra_args(false);
        return;
    }
    for (const Spelling& spelling : spellings_of(option)) {
        const auto set_flag = [&values, &status, spelling,
                               name = option.name](const std::string& text) {
            if (!status.ok()) return;
            if (text == absent) status = values.set(name, !spelling.negated);
            else if (!spelling.negated) status = values.set_text(name, text);
            else status = fail(Code::invalid_argument, spelling.text, ": takes no value");
        };
        app.add_option_function<std::string>("--" + spelling.key(), set_flag)
            ->trigger_on_parse()
            ->take_last()
            ->expected(0, 1)
            ->default_str(absent);
    }
}

}  // namespace

Status assign_with_cli11(std::span<const std::string> flags, OptionValues& values) {
    Status status;
    try {
        CLI::App app;
        app.set_help_flag();
        app.allow_windows_style_options(false);
        const std::vector<Option> options = values.options();
        for (const Option& option : options)
            if (!option.flags.empty()) declare(app, option, values, status);
        app.parse(words_for_cli11(flags));
    } catch (const CLI::Error& error) {
        return fail(Code::invalid_argument, error.what());
    }
    return status;
}

Status assign(std::span<const std::string> flags, OptionValues& values) {
    return assign_with_cli11(flags, values);
}

}  // namespace ingle::cli
