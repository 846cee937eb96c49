// GET /v1/models: what is served, with llama-server's additions and the older list beside it.
#include "server/model_json.h"

namespace ingle::server {

namespace {

Response answer(const Request&, Service& service) {
    Json data = Json::array(), models = Json::array();
    if (const auto model = service.model()) {
        data.push_back(model_json(*model));
        models.push_back({{"name", model->name}, {"model", model->name}, {"type", "model"},
                          {"capabilities", Json::array({"completion"})}});
    }
    return json_response({{"models", std::move(models)}, {"object", "list"}, {"data", std::move(data)}});
}

}  // namespace

namespace entries {
extern const Endpoint models;
const Endpoint models = {.method = "GET", .path = "/v1/models /models", .open = false, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
