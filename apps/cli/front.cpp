#include "cli/front.h"

#include <cstdio>

#include "cli/exit_code.h"
#include "cli/help.h"
#include "cli/options/common.h"
#include "cli/parse.h"
#include "cli/terminal.h"

namespace ingle::cli {

namespace {

int print_page(const std::string& page) {
    std::fputs(page.c_str(), stdout);
    return exit_ok;
}

int report(const Status& status) {
    const std::string line = styled_message(Style::red, "error: ") + status.message();
    std::fprintf(stderr, "%s\n", line.c_str());
    return exit_code_of(status.code());
}

Status unknown_verb(std::string_view word) {
    std::vector<std::string_view> names;
    for (const Verb* const verb : all_verbs()) names.push_back(verb->name);
    const std::string_view near = closest(word, names);
    return fail(Code::invalid_argument, "unknown verb ", quoted(word),
                near.empty() ? cat("; `ingle` alone lists them")
                             : cat("; did you mean `ingle ", near, "`?"));
}

int run_verb(const Verb& verb, std::span<const std::string> words) {
    const auto invocation = parse(verb, words, process_environment);
    if (!invocation.ok()) {
        const int code = report(invocation.status());
        std::fprintf(stderr, "`ingle help %.*s` lists its flags\n", int(verb.name.size()),
                     verb.name.data());
        return code;
    }
    if (invocation->help) return print_page(verb_page(verb));
    if (const Status status = apply_common_options(invocation->values); !status.ok())
        return report(status);
    const Status status = verb.run(*invocation);
    return status.ok() ? int(exit_ok) : report(status);
}

int dispatch(std::span<const std::string> words) {
    if (words.empty()) return print_page(front_page());
    const std::string& first = words[0];
    if (first == "-h" || first == "--help") return print_page(front_page());
    if (first == "--version") return print_page(version_line() + "\n");
    if (const Verb* const verb = find_verb(first)) return run_verb(*verb, words.subspan(1));
    return report(unknown_verb(first));
}

}  // namespace

const Verb* find_verb(std::string_view name) {
    for (const Verb* const verb : all_verbs())
        if (verb->name == name) return verb;
    return nullptr;
}

int run_command(std::span<const std::string> words) {
    const int code = dispatch(words);
    // A full disk must not look like success.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
        return report(fail(Code::io, "standard output could not be written"));
    return code;
}

}  // namespace ingle::cli
