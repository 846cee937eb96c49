// POST /models/load: {"model"} is brought into memory; the answer does not wait for it, /models tells how it goes.
#include "server/error.h"
#include "server/json.h"
#include "server/service.h"

namespace ingle::server {

namespace {

Status load(const Request& request, Service& service) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    Fields fields(body);
    fields.require("model");
    const std::string name = fields.text("model");
    INGLE_TRY(fields.status());
    return service.models().load(name);
}

Response answer(const Request& request, Service& service) {
    const Status status = load(request, service);
    return status.ok() ? json_response({{"success", true}}) : error_response(status);
}

}  // namespace

namespace entries {
extern const Endpoint models_load;
const Endpoint models_load = {.method = "POST", .path = "/models/load", .open = false, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
