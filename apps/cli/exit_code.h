// The exit codes of the command: part of its interface, printed by `ingle help exit-codes`.
#pragma once

#include <span>
#include <string_view>

#include "base/status.h"

namespace ingle::cli {

enum ExitCode : int {
    exit_ok = 0,
    exit_failure = 1,
    exit_usage = 2,
    exit_no_input = 3,
    exit_bad_input = 4,
    exit_no_memory = 5,
    exit_limit = 6,
    exit_interrupted = 130,  // 128 + SIGINT, as shells report it
};

struct ExitCodeMeaning {
    ExitCode code;
    std::string_view meaning;
};

std::span<const ExitCodeMeaning> exit_code_meanings();
ExitCode exit_code_of(Code code);

}  // namespace ingle::cli
