// GET /props: what llama-server tells of a model and of itself. Where there are several models, of the one that ?model=
// names, if it has been in memory; without, of the server.
#include "server/error.h"
#include "server/model_json.h"
#include "server/service.h"
#include "server/writing.h"

namespace ingle::server {

namespace {

Json server_json(const Service& service) {
    return {{"role", "router"},
            {"max_instances", service.models().models_max()},
            {"models_autoload", service.models().autoload()},
            {"model_alias", "ingle"},
            {"model_path", ""},
            {"default_generation_settings", nullptr},
            {"build_info", system_fingerprint()},
            {"endpoint_slots", service.settings().show_slots},
            {"endpoint_metrics", service.settings().show_metrics},
            {"is_sleeping", false}};
}

Response answer(const Request& request, Service& service) {
    if (service.models().several() && request.query_value("model").empty())
        return json_response(server_json(service));
    const auto report = described_model(request, service);
    if (!report.ok()) return error_response(report.status());
    Json properties = report->card->properties;
    properties["is_sleeping"] = report->state != ModelState::loaded && report->state != ModelState::unloading;
    return json_response(properties);
}

}  // namespace

namespace entries {
extern const Endpoint props;
const Endpoint props = {.method = "GET", .path = "/props", .open = false, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
