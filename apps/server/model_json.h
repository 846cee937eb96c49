// Models as lists and descriptions show them.
#pragma once

#include "engine/metrics.h"
#include "server/catalogue.h"
#include "server/json.h"
#include "server/settings.h"

namespace ingle::server {

// What is told of a model that is in memory, and kept to be told when it no longer is.
struct ModelCard {
    Json listing;     // an entry of /v1/models
    Json details;     // Ollama's {"format","family","parameter_size",...}
    Json show;        // Ollama's /api/show
    Json properties;  // llama-server's /props
    MetricsSnapshot metrics;
    int64_t context_tokens = 0;
    std::string key_type, value_type;  // of its cache
    uint64_t bytes = 0;
};

std::shared_ptr<const ModelCard> make_card(const ServedModel& model, const Settings& settings);

// The model that a request asks about, which is not loaded for that: what ?model= names; else the only one, or where
// there are several the first in memory. Its card is there.
Result<ModelReport> described_model(const Request& request, const Service& service);

// An entry of /v1/models, whether the model is in memory or not.
Json listing_json(const ModelReport& report);
// Ollama's, from the card or else from the file.
Json show_json(const ModelReport& report);
Json details_json(const ModelReport& report);
uint64_t bytes_of(const ModelReport& report);

}  // namespace ingle::server
