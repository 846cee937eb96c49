#include "cli/exit_code.h"

namespace ingle::cli {

std::span<const ExitCodeMeaning> exit_code_meanings() {
    static constexpr ExitCodeMeaning meanings[] = {
        {exit_ok, "done"},
        {exit_failure, "failed for another reason than those below; the message says which"},
        {exit_usage, "a verb, flag or value is wrong; nothing was done"},
        {exit_no_input, "a file is missing, or the system refused to read or write it"},
        {exit_bad_input, "a file is cut, damaged or of a kind that this build does not know"},
        {exit_no_memory, "it would not fit into memory; refused before loading"},
        {exit_limit, "a stated limit was reached, e.g. the context is full"},
        {exit_interrupted, "interrupted by Ctrl-C"},
    };
    return meanings;
}

ExitCode exit_code_of(Code code) {
    switch (code) {
        case Code::ok: return exit_ok;
        case Code::invalid_argument: return exit_usage;
        case Code::not_found:
        case Code::io: return exit_no_input;
        case Code::corrupt:
        case Code::unsupported: return exit_bad_input;
        case Code::out_of_memory: return exit_no_memory;
        case Code::limit: return exit_limit;
        case Code::cancelled: return exit_interrupted;
        case Code::internal: return exit_failure;
    }
    return exit_failure;
}

}  // namespace ingle::cli
