// From the words after a verb to an Invocation. What the user said wins in this order:
// flag, INGLE_NAME, LLAMA_ARG_NAME, default.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "cli/spelling.h"
#include "cli/verb.h"

namespace ingle::cli {

using Environment = std::function<std::optional<std::string>(const std::string& name)>;
// The environment of this process.
std::optional<std::string> process_environment(const std::string& name);

// The verb's own options and those of every verb (options/common.h).
std::vector<Option> options_of(const Verb& verb);

// Assigns rewritten flags to values. Two implementations of one behaviour: CLI11's, and a plain one for
// builds without libraries; a test holds them equal. The build links one as `assign`.
Status assign_with_cli11(std::span<const std::string> flags, OptionValues& values);
Status assign_plainly(std::span<const std::string> flags, OptionValues& values);
Status assign(std::span<const std::string> flags, OptionValues& values);

Result<Invocation> parse(const Verb& verb, std::span<const std::string> words,
                         const Environment& environment);

}  // namespace ingle::cli
