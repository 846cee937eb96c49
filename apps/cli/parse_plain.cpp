// The parser of builds without libraries: each rewritten flag is one "--KEY" or "--KEY=VALUE".
#include "cli/parse.h"

namespace ingle::cli {

namespace {

Status assign_one(std::string_view flag, OptionValues& values) {
    flag.remove_prefix(2);
    const size_t equals = flag.find('=');
    const std::string_view key = flag.substr(0, equals);
    for (const Option& option : values.options()) {
        for (const Spelling& spelling : spellings_of(option)) {
            if (spelling.key() != key) continue;
            if (equals != std::string_view::npos && !spelling.negated)
                return values.set_text(option.name, flag.substr(equals + 1));
            if (equals != std::string_view::npos || takes_value(option))
                return fail(Code::invalid_argument, spelling.text, ": takes no value");
            return values.set(option.name, !spelling.negated);
        }
    }
    return fail(Code::invalid_argument, "unknown flag ", quoted(flag));
}

}  // namespace

Status assign_plainly(std::span<const std::string> flags, OptionValues& values) {
    for (const std::string& flag : flags) INGLE_TRY(assign_one(flag, values));
    return {};
}

}  // namespace ingle::cli
