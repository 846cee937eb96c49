// POST /api/copy: Ollama's; a downloaded model gets a second name, {"source", "destination"}.
#include "server/json.h"
#include "server/model_files.h"
#include "server/service.h"

namespace ingle::server {

namespace {

struct Names {
    std::string source, destination;
};

Result<Names> names_of(const Request& request) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    Fields fields(body);
    fields.require("source");
    fields.require("destination");
    Names names{.source = fields.text("source"), .destination = fields.text("destination")};
    INGLE_TRY(fields.status());
    return names;
}

Response answer(const Request& request, Service& service) {
    if (const auto refusal = refuse_management(service.settings())) return error_response(*refusal, Dialect::ollama);
    const auto names = names_of(request);
    if (!names.ok()) return error_response(names.status(), Dialect::ollama);
    const Status status = copy_model(service, names->source, names->destination);
    return status.ok() ? Response{} : error_response(status, Dialect::ollama);
}

}  // namespace

namespace entries {
extern const Endpoint ollama_copy;
const Endpoint ollama_copy = {.method = "POST", .path = "/api/copy", .open = false, .respond = answer,
                              .dialect = Dialect::ollama};
}  // namespace entries

}  // namespace ingle::server
