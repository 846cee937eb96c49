// DELETE /models?model=NAME: a downloaded model is deleted.
#include "server/model_files.h"
#include "server/service.h"

namespace ingle::server {

namespace {

Response answer(const Request& request, Service& service) {
    if (const auto refusal = refuse_management(service.settings())) return error_response(*refusal);
    const std::string name = request.query_value("model");
    if (name.empty()) return error_response(fail(Code::invalid_argument, "?model= must name a model"));
    const Status status = delete_model(service, name);
    return status.ok() ? json_response({{"success", true}}) : error_response(status);
}

}  // namespace

namespace entries {
extern const Endpoint models_delete;
const Endpoint models_delete = {.method = "DELETE", .path = "/models", .open = false, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
