// GET /api/tags and /api/ps: Ollama's lists of what is there and what is loaded; here the same one model.
#include "server/model_json.h"
#include "server/surfaces/ollama.h"

namespace ingle::server {

namespace {

Response answer(const Request&, Service& service) {
    Json models = Json::array();
    if (const auto served = service.model()) {
        const Model& model = served->engine->model();
        models.push_back({{"name", served->name},
                          {"model", served->name},
                          {"modified_at", timestamp_now()},
                          {"expires_at", "2318-01-01T00:00:00Z"},
                          {"size", model.file_bytes()},
                          {"size_vram", 0},
                          {"context_length", served->engine->context_tokens()},
                          {"digest", ""},
                          {"details", ollama_details_json(*served)}});
    }
    return json_response({{"models", std::move(models)}});
}

}  // namespace

namespace entries {
extern const Endpoint ollama_models;
const Endpoint ollama_models = {.method = "GET", .path = "/api/tags /api/ps", .open = false, .respond = answer,
                                .dialect = Dialect::ollama};
}  // namespace entries

}  // namespace ingle::server
