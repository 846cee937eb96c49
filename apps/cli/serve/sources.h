// The models that `ingle serve` was told of: by -m, a folder, a presets file, or what was downloaded before.
#pragma once

#include "cli/verb.h"
#include "server/service.h"

namespace ingle::cli {

// True if requests choose among models: unless one -m says it all.
bool serves_several(const OptionValues& values);

// Looks for them; models named by -m that are on a hub are downloaded first. `service` must outlive the sources.
Result<std::vector<server::ModelSource>> model_sources(const OptionValues& values, server::Service& service);

}  // namespace ingle::cli
