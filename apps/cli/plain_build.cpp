// Chosen instead of parse_cli11.cpp where no library may be used, as in the single-file build.
#include "cli/parse.h"

namespace ingle::cli {

Status assign(std::span<const std::string> flags, OptionValues& values) {
    return assign_plainly(flags, values);
}

}  // namespace ingle::cli
