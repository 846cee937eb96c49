// DELETE /v1/responses/{id}: forgets a response.
#include "server/error.h"
#include "server/service.h"

namespace ingle::server {

namespace {

Response answer(const Request& request, Service& service) {
    if (!service.responses().remove(request.parameter, request.client))
        return error_response(fail(Code::not_found, "there is no response ", quoted(request.parameter)));
    return json_response({{"id", request.parameter}, {"object", "response"}, {"deleted", true}});
}

}  // namespace

namespace entries {
extern const Endpoint response_delete;
const Endpoint response_delete = {.method = "DELETE", .path = "/v1/responses/{id}", .open = false,
                                  .respond = answer};
}  // namespace entries

}  // namespace ingle::server
