#include "server/endpoint.h"

#include <nlohmann/json.hpp>

namespace ingle::server {

namespace {

Response error(int status, const char* type, std::string message) {
    const nlohmann::json body = {
        {"error", {{"code", status}, {"message", std::move(message)}, {"type", type}}}};
    return {.status = status,
            .body = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
}

}  // namespace

Response respond(const Request& request) {
    bool path_known = false;
    for (const Endpoint* const endpoint : all_endpoints()) {
        if (endpoint->path != request.path) continue;
        if (endpoint->method == request.method) return endpoint->respond(request);
        path_known = true;
    }
    if (path_known)
        return error(405, "invalid_request_error",
                     "method " + request.method + " is not allowed for " + request.path);
    return error(404, "not_found_error", "there is nothing at " + request.path);
}

}  // namespace ingle::server
