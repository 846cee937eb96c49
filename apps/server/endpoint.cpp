#include "server/endpoint.h"

#include "server/access.h"
#include "server/error.h"
#include "server/service.h"

namespace ingle::server {

namespace {

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// Whether `path` is one of `patterns`; sets what stands for {name}.
bool matches(std::string_view patterns, std::string_view path, std::string& parameter) {
    for (const std::string_view pattern : split(patterns, ' ')) {
        const size_t brace = pattern.find('{');
        if (brace == std::string_view::npos) {
            if (pattern == path) return true;
        } else if (path.size() > brace && path.starts_with(pattern.substr(0, brace))) {
            parameter = url_decoded(path.substr(brace));
            return true;
        }
    }
    return false;
}

struct Found {
    const Endpoint* endpoint = nullptr;
    bool path_known = false;
    Dialect dialect = Dialect::openai;
};

Found find(Request& request) {
    Found found;
    for (const Endpoint* const endpoint : all_endpoints()) {
        std::string parameter;
        if (!matches(endpoint->path, request.path, parameter)) continue;
        found.path_known = true;
        found.dialect = endpoint->dialect;
        const bool head = request.method == "HEAD" && endpoint->method == "GET";
        if (endpoint->method != request.method && !head) continue;
        request.parameter = std::move(parameter);
        found.endpoint = endpoint;
        return found;
    }
    return found;
}

std::optional<Error> refuse_unknown_key(Request& request, const Service& service) {
    const std::string* const name =
        service.keys().empty() ? nullptr : service.keys().find(key_of(request));
    request.client = name != nullptr ? *name : request.peer;
    if (service.keys().empty() || name != nullptr) return std::nullopt;
    return Error{.status = 401, .type = "authentication_error", .message = "Invalid API Key"};
}

Response answer(Request& request, Service& service) {
    const Settings& settings = service.settings();
    if (request.method == "OPTIONS") return preflight();
    if (const auto error = refuse_foreign(request, settings)) return error_response(*error);
    const std::string& prefix = settings.api_prefix;
    if (!prefix.empty() && request.path.starts_with(prefix))
        request.path.erase(0, prefix.size());
    else if (!prefix.empty())
        request.path.clear();  // there is nothing outside of the prefix
    const Found found = find(request);
    const auto refusal = refuse_unknown_key(request, service);
    if (refusal && (found.endpoint == nullptr || !found.endpoint->open)) {
        Response response = error_response(*refusal, found.dialect);
        response.headers.emplace_back("WWW-Authenticate", "Bearer");
        return response;
    }
    if (found.endpoint != nullptr) return found.endpoint->respond(request, service);
    if (found.path_known)
        return error_response({.status = 405, .type = "invalid_request_error",
                               .message = cat("method ", request.method, " is not allowed for ", request.path)},
                              found.dialect);
    return error_response(
        {.status = 404, .type = "not_found_error", .message = "there is nothing at " + request.path});
}

}  // namespace

std::string_view Request::header(std::string_view name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

std::string Request::query_value(std::string_view name) const {
    for (const std::string_view pair : split(query, '&')) {
        const size_t equals = pair.find('=');
        if (url_decoded(pair.substr(0, equals)) == name)
            return equals == std::string_view::npos ? "" : url_decoded(pair.substr(equals + 1));
    }
    return {};
}

std::string url_decoded(std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
        const int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
        const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
        if (low >= 0) {
            out += char(high * 16 + low);
            i += 2;
        } else {
            out += text[i] == '+' ? ' ' : text[i];
        }
    }
    return out;
}

Response respond(Request request, Service& service) {
    Response response = answer(request, service);
    add_origin_headers(request, service.settings(), response);
    return response;
}

}  // namespace ingle::server
