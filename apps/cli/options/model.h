// Which model, and which text: options that several verbs share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/verb.h"

namespace ingle::cli {

Option model_option();
Option offline_option();
// The file named by -m, downloaded if it is named by its place on a hub; a verb may also take it as its first plain
// word. Fails if there is none.
Result<std::string> model_path(const Invocation& invocation, bool may_be_argument = false);

// -p TEXT and -f FILE, where "-" is standard input.
std::vector<Option> text_options();
// The text of those options, byte for byte; nothing if neither was given.
Result<std::optional<std::string>> given_text(const OptionValues& values);

Option json_option();

}  // namespace ingle::cli
