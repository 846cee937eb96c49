// GET /v1/models/{model}: one of them.
#include <algorithm>

#include "server/error.h"
#include "server/model_json.h"

namespace ingle::server {

namespace {

Response answer(const Request& request, Service& service) {
    const auto model = service.model();
    if (model && std::ranges::find(model->aliases, request.parameter) != model->aliases.end())
        return json_response(model_json(*model));
    return error_response({.status = 404, .type = "not_found_error",
                           .message = cat("there is no model ", quoted(request.parameter)),
                           .extra = {{"code", "model_not_found"}}});
}

}  // namespace

namespace entries {
extern const Endpoint model;
const Endpoint model = {.method = "GET", .path = "/v1/models/{model}", .open = false, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
