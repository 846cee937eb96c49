// Errors as clients of each kind expect them.
#pragma once

#include "base/status.h"
#include "server/endpoint.h"
#include "server/json.h"

namespace ingle::server {

struct Error {
    int status = 500;
    std::string type = "server_error";
    std::string message = {};
    Json extra = Json::object();  // further members of the error object
    int retry_after_seconds = 0;  // 0: not said
};

// The HTTP status and type of a failure: wrong requests are 400, a full queue is 503, our own faults are 500.
Error error_of(const Status& status);
// A prompt that the context cannot hold.
Error context_error(int64_t prompt_tokens, int64_t context_tokens);

// {"error":{"code","message","type",...}}, Anthropic's {"type":"error","error":{...}}, Ollama's {"error":"..."}.
Json error_body(const Error& error, Dialect dialect);
Response error_response(const Error& error, Dialect dialect = Dialect::openai);
Response error_response(const Status& status, Dialect dialect = Dialect::openai);

}  // namespace ingle::server
