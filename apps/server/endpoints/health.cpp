// GET /health: the process is alive.
#include "server/endpoint.h"

namespace ingle::server {

namespace {

Response answer(const Request&) { return {.body = R"({"status":"ok"})"}; }

}  // namespace

namespace entries {
extern const Endpoint health;
const Endpoint health = {.method = "GET", .path = "/health", .open = true,
                         .respond = answer};
}  // namespace entries

}  // namespace ingle::server
