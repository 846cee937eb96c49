// GET /api/tags, /api/ps: Ollama's lists of the models that there are, and of those in memory.
#include <ctime>

#include "server/model_json.h"
#include "server/service.h"
#include "server/surfaces/ollama.h"

namespace ingle::server {

namespace {

Json model_json(const ModelReport& report) {
    return {{"name", report.name},
            {"model", report.name},
            {"modified_at", timestamp_now()},
            {"size", bytes_of(report)},
            {"digest", ""},
            {"details", details_json(report)}};
}

// A model that stays expires in a far year, as Ollama has it.
std::string expiry_of(const ModelReport& report) {
    return report.expires_in < 0 ? "2318-01-01T00:00:00Z" : timestamp_in(report.expires_in);
}

Response answer(const Request& request, Service& service) {
    const bool running = request.path == "/api/ps";
    Json models = Json::array();
    for (const ModelReport& report : service.models().reports()) {
        const bool here = report.state == ModelState::loaded || report.state == ModelState::unloading;
        if (!report.listed || (running && !here) || (!service.models().several() && !report.card)) continue;
        Json json = model_json(report);
        if (report.card) json["context_length"] = report.card->context_tokens;
        if (here) {
            json["expires_at"] = expiry_of(report);
            json["size_vram"] = 0;
        }
        models.push_back(std::move(json));
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
