// GET /v1/models/{model}: one of them.
#include <algorithm>

#include "server/error.h"
#include "server/model_json.h"
#include "server/service.h"

namespace ingle::server {

namespace {

bool is_named(const ModelReport& report, const std::string& name) {
    return report.name == name || std::ranges::find(report.aliases, name) != report.aliases.end();
}

Response answer(const Request& request, Service& service) {
    for (const ModelReport& report : service.models().reports())
        if (is_named(report, request.parameter)) return json_response(listing_json(report));
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
