// POST /models/unload: {"model"} leaves memory as soon as the answers that use it have ended.
#include "server/error.h"
#include "server/json.h"
#include "server/service.h"

namespace ingle::server {

namespace {

Status unload(const Request& request, Service& service) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    Fields fields(body);
    fields.require("model");
    const std::string name = fields.text("model");
    INGLE_TRY(fields.status());
    return service.models().unload(name);
}

Response answer(const Request& request, Service& service) {
    const Status status = unload(request, service);
    return status.ok() ? json_response({{"success", true}}) : error_response(status);
}

}  // namespace

namespace entries {
extern const Endpoint models_unload;
const Endpoint models_unload = {.method = "POST", .path = "/models/unload", .open = false, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
