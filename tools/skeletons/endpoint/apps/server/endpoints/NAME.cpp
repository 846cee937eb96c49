// GET /@name@: what it answers, in one line.
#include "server/endpoint.h"

namespace ingle::server {

namespace {

Response answer(const Request&, Service&) { return {.body = R"({"@name@":true})"}; }

}  // namespace

namespace entries {
extern const Endpoint @name@;
const Endpoint @name@ = {.method = "GET", .path = "/@name@", .open = false, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
