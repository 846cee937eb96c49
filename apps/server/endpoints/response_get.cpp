// GET /v1/responses/{id}: a response that is still in memory.
#include "server/error.h"
#include "server/service.h"

namespace ingle::server {

namespace {

Response answer(const Request& request, Service& service) {
    const auto found = service.responses().find(request.parameter, request.client);
    if (!found) return error_response(fail(Code::not_found, "there is no response ", quoted(request.parameter)));
    return json_response(found->response);
}

}  // namespace

namespace entries {
extern const Endpoint response_get;
const Endpoint response_get = {.method = "GET", .path = "/v1/responses/{id}", .open = false, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
