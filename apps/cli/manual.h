// Manual pages in roff, made from the registry and the schema as the help pages are.
#pragma once

#include <string>

#include "cli/verb.h"

namespace ingle::cli {

// ingle(1)
std::string manual_page();
// ingle-VERB(1)
std::string manual_page(const Verb& verb);

}  // namespace ingle::cli
