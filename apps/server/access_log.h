// One line of JSON for every request, and the ids by which a request is followed from system to system.
#pragma once

#include "server/endpoint.h"

namespace ingle::server {

// The client's X-Request-Id if it is short and plain, else a new one.
std::string request_id_of(const Request& request);

// W3C trace context: the client's trace with a new parent id for what happens here; empty if it sent none.
std::string next_trace_of(const Request& request);

// To the log at level notice. `account`: what generation came to; may be null. `status` 499: the client left.
void log_request(const Request& request, int status, uint64_t bytes, const Account* account,
                 const std::string& trace);

}  // namespace ingle::server
