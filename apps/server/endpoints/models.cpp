// GET /v1/models, /models: what clients may name as their model. With ?reload=1 the server looks for models again.
#include "server/error.h"
#include "server/model_json.h"
#include "server/service.h"

namespace ingle::server {

namespace {

// A model that is not there yet.
Json downloading_json(const DownloadState& state) {
    uint64_t done = 0, total = 0;
    for (const DownloadState::File& file : state.files) {
        done += file.done;
        total += file.total;
    }
    Json status = {{"value", state.ended ? "unloaded" : "downloading"}};
    if (state.ended) {
        status["failed"] = true;
        status["message"] = state.status.message();
    } else {
        status["progress"] = total > 0 ? double(done) / double(total) : 0.0;
    }
    return {{"id", state.model}, {"object", "model"}, {"created", 0}, {"owned_by", "ingle"},
            {"status", std::move(status)}};
}

Response answer(const Request& request, Service& service) {
    const std::string reload = request.query_value("reload");
    if (!reload.empty() && reload != "0")
        if (const Status status = service.models().rescan(); !status.ok()) return error_response(status);
    Json data = Json::array(), models = Json::array();
    for (const ModelReport& report : service.models().reports()) {
        if (!report.listed || (!service.models().several() && !report.card)) continue;
        data.push_back(listing_json(report));
        models.push_back({{"name", report.name}, {"model", report.name}, {"type", "model"},
                          {"capabilities", Json::array({"completion"})}});
    }
    for (const DownloadState& state : service.downloads().states())
        if (!service.models().known(state.model)) data.push_back(downloading_json(state));
    return json_response({{"models", std::move(models)}, {"object", "list"}, {"data", std::move(data)}});
}

}  // namespace

namespace entries {
extern const Endpoint models;
const Endpoint models = {.method = "GET", .path = "/v1/models /models", .open = false, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
