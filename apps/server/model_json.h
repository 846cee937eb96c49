// A served model as lists of models show it.
#pragma once

#include "server/json.h"
#include "server/service.h"

namespace ingle::server {

Json model_json(const ServedModel& model);
// Ollama's {"format","family","parameter_size",...}
Json ollama_details_json(const ServedModel& model);

}  // namespace ingle::server
