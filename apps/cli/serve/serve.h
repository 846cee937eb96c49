// What `ingle serve` does, where the build has an HTTP server.
#pragma once

#include "cli/verb.h"

namespace ingle::cli {

// Serves until a signal ends it.
Status run_server(const Invocation& invocation);

}  // namespace ingle::cli
