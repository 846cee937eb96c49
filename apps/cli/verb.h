// A verb is what comes after `ingle`: one file in verbs/ that defines one constant of this type.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/option.h"
#include "base/status.h"

namespace ingle::cli {

// What the user asked of a verb, checked against its options.
struct Invocation {
    OptionValues values;
    std::vector<std::string> arguments;  // the words that are no flag, in order
    bool help = false;                   // --help was among the words
};

struct Verb {
    std::string_view name;
    std::string_view group;      // heading on the front page
    std::string_view summary;    // one line, no full stop
    std::string_view arguments;  // shown in the usage line, e.g. "[ID]..."; empty: takes none
    std::string_view about;      // what --help says between usage and options, with examples
    std::vector<Option> (*options)();
    // The answer goes to standard output, everything else to standard error or the log. The status
    // becomes the exit code (exit_code.h).
    Status (*run)(const Invocation&);
    std::string (*table)() = nullptr;  // shown below `about`, for what only the program knows
};

// Every verb of this build, sorted by file name.
std::span<const Verb* const> all_verbs();
const Verb* find_verb(std::string_view name);

}  // namespace ingle::cli
