// GET /lora-adapters: this build has none.
#include "server/json.h"

namespace ingle::server {

namespace {

Response answer(const Request&, Service&) { return json_response(Json::array()); }

}  // namespace

namespace entries {
extern const Endpoint lora_adapters;
const Endpoint lora_adapters = {.method = "GET", .path = "/lora-adapters", .open = false, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
