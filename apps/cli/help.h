// The pages of the command, made from the registry and the schema.
#pragma once

#include <string>
#include <vector>

#include "cli/verb.h"

namespace ingle::cli {

std::string front_page();
std::string verb_page(const Verb& verb);
std::string exit_code_page();
// "ingle 0.1.0 (g++ 12.2.0, x86-64; kernels: ...)"
std::string version_line();
// An option's default as text; empty if it has none to speak of.
std::string default_text(const Option& option);

}  // namespace ingle::cli
