// POST /models: {"model"} is downloaded; the answer does not wait for it, GET /models tells how it goes.
#include "server/json.h"
#include "server/model_files.h"
#include "server/service.h"

namespace ingle::server {

namespace {

Status download(const Request& request, Service& service) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    Fields fields(body);
    fields.require("model");
    const std::string name = fields.text("model");
    INGLE_TRY(fields.status());
    return service.downloads().order(name);
}

Response answer(const Request& request, Service& service) {
    if (const auto refusal = refuse_management(service.settings())) return error_response(*refusal);
    const Status status = download(request, service);
    return status.ok() ? json_response({{"success", true}}) : error_response(status);
}

}  // namespace

namespace entries {
extern const Endpoint models_download;
const Endpoint models_download = {.method = "POST", .path = "/models", .open = false, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
