// GET /health: 200 once the model can be asked.
#include "server/error.h"
#include "server/service.h"

namespace ingle::server {

namespace {

Response answer(const Request&, Service& service) {
    if (const Status status = service.models().ready(); !status.ok()) return error_response(status);
    return {.body = R"({"status":"ok"})"};
}

}  // namespace

namespace entries {
extern const Endpoint health;
const Endpoint health = {.method = "GET", .path = "/health /v1/health", .open = true, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
