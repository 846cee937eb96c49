#include "server/error.h"

namespace ingle::server {

namespace {

const char* anthropic_type(int status) {
    switch (status) {
        case 401: return "authentication_error";
        case 403: return "permission_error";
        case 404: return "not_found_error";
        case 413: return "request_too_large";
        case 429: return "rate_limit_error";
        case 503: return "overloaded_error";
        default: return status < 500 ? "invalid_request_error" : "api_error";
    }
}

}  // namespace

Error error_of(const Status& status) {
    const auto made = [&](int code, const char* type, int retry = 0) {
        return Error{.status = code, .type = type, .message = status.message(),
                     .retry_after_seconds = retry};
    };
    switch (status.code()) {
        case Code::invalid_argument: return made(400, "invalid_request_error");
        case Code::not_found: return made(404, "not_found_error");
        case Code::corrupt: return made(400, "invalid_request_error");
        case Code::unsupported: return made(501, "not_supported_error");
        case Code::limit: return made(503, "unavailable_error", 1);
        case Code::out_of_memory: return made(503, "unavailable_error", 5);
        case Code::cancelled: return made(503, "unavailable_error", 1);
        case Code::ok:
        case Code::io:
        case Code::internal: break;
    }
    return made(500, "server_error");
}

Error context_error(int64_t prompt_tokens, int64_t context_tokens) {
    return {.status = 400,
            .type = "exceed_context_size_error",
            .message = cat("the request has ", prompt_tokens,
                           " tokens, which exceeds the available context size of ", context_tokens,
                           " with the answer"),
            .extra = {{"n_prompt_tokens", prompt_tokens}, {"n_ctx", context_tokens}}};
}

Json error_body(const Error& error, Dialect dialect) {
    if (dialect == Dialect::ollama) return {{"error", error.message}};
    if (dialect == Dialect::anthropic)
        return {{"type", "error"},
                {"error", {{"type", anthropic_type(error.status)}, {"message", error.message}}}};
    Json object = {{"code", error.status}, {"message", error.message}, {"type", error.type}};
    object.update(error.extra);
    return {{"error", std::move(object)}};
}

Response error_response(const Error& error, Dialect dialect) {
    Response response = {.status = error.status, .body = dump(error_body(error, dialect))};
    if (error.retry_after_seconds > 0)
        response.headers.emplace_back("Retry-After", cat(error.retry_after_seconds));
    return response;
}

Response error_response(const Status& status, Dialect dialect) {
    return error_response(error_of(status), dialect);
}

}  // namespace ingle::server
