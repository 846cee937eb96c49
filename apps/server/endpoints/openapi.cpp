// GET /openapi.json: what this server answers, for programs that read such descriptions.
#include "server/json.h"
#include "server/openapi/document.h"

namespace ingle::server {

namespace {

Response answer(const Request&, Service&) { return json_response(openapi_document()); }

}  // namespace

namespace entries {
extern const Endpoint openapi;
const Endpoint openapi = {.method = "GET", .path = "/openapi.json", .open = false, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
