// DELETE /api/delete: Ollama's; {"model"} is deleted from the cache of downloaded models.
#include "server/json.h"
#include "server/model_files.h"
#include "server/service.h"

namespace ingle::server {

namespace {

Result<std::string> name_of(const Request& request) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    Fields fields(body);
    std::string name = fields.text("model", fields.text("name"));
    if (name.empty()) fields.wrong("'model' is required");
    INGLE_TRY(fields.status());
    return name;
}

Response answer(const Request& request, Service& service) {
    if (const auto refusal = refuse_management(service.settings())) return error_response(*refusal, Dialect::ollama);
    const auto name = name_of(request);
    if (!name.ok()) return error_response(name.status(), Dialect::ollama);
    const Status status = delete_model(service, *name);
    return status.ok() ? Response{} : error_response(status, Dialect::ollama);
}

}  // namespace

namespace entries {
extern const Endpoint ollama_delete;
const Endpoint ollama_delete = {.method = "DELETE", .path = "/api/delete", .open = false, .respond = answer,
                                .dialect = Dialect::ollama};
}  // namespace entries

}  // namespace ingle::server
