// GET /api/version: the version of this server; clients of Ollama ask before they use it.
#include "base/version.h"
#include "server/json.h"

namespace ingle::server {

namespace {

Response answer(const Request&, Service&) { return json_response({{"version", version_text}}); }

}  // namespace

namespace entries {
extern const Endpoint ollama_version;
const Endpoint ollama_version = {.method = "GET", .path = "/api/version", .open = false, .respond = answer,
                                 .dialect = Dialect::ollama};
}  // namespace entries

}  // namespace ingle::server
