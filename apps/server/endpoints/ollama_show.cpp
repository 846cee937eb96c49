// POST /api/show: Ollama's description of a model, in memory or not.
#include "server/error.h"
#include "server/model_json.h"
#include "server/service.h"

namespace ingle::server {

namespace {

Result<Json> show(const Request& request, Service& service) {
    INGLE_TRY(service.models().ready());
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    Fields fields(body);
    const std::string name = fields.text("model", fields.text("name"));
    INGLE_TRY(fields.status());
    const auto report = service.models().report(name);
    if (!report) return fail(Code::not_found, "model ", quoted(name), " not found");
    return show_json(*report);
}

Response answer(const Request& request, Service& service) {
    const auto shown = show(request, service);
    return shown.ok() ? json_response(*shown) : error_response(shown.status(), Dialect::ollama);
}

}  // namespace

namespace entries {
extern const Endpoint ollama_show;
const Endpoint ollama_show = {.method = "POST", .path = "/api/show", .open = false, .respond = answer,
                              .dialect = Dialect::ollama};
}  // namespace entries

}  // namespace ingle::server
