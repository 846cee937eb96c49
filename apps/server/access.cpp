#include "server/access.h"

#include <algorithm>

#include "base/sha256.h"

namespace ingle::server {

namespace {

std::string hash_of(std::string_view text) {
    Sha256 hash;
    hash.update(std::as_bytes(std::span(text)));
    return hash.finish();
}

// "[::1]:8080" -> "::1", "localhost:8080" -> "localhost"
std::string_view host_name(std::string_view host) {
    if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
    return host.substr(0, host.find(':'));
}

// "http://localhost:3000" -> "localhost:3000"
std::string_view without_scheme(std::string_view origin) {
    const size_t at = origin.find("://");
    return at == std::string_view::npos ? origin : origin.substr(at + 3);
}

}  // namespace

void Keys::add(std::string name, std::string_view key) {
    keys_.push_back({std::move(name), hash_of(key)});
}

const std::string* Keys::find(std::string_view key) const {
    const std::string hash = hash_of(key);
    const std::string* found = nullptr;
    for (const Key& known : keys_) {
        unsigned differing = 0;
        for (size_t i = 0; i < hash.size(); ++i)
            differing |= unsigned(hash[i]) ^ unsigned(known.hash[i]);
        if (differing == 0) found = &known.name;
    }
    return found;
}

bool is_loopback(std::string_view host) {
    // "127.evil.example" is a name like any other.
    const bool numbers = host.find_first_not_of("0123456789.") == std::string_view::npos;
    return host == "localhost" || host == "::1" || (numbers && host.starts_with("127."));
}

bool is_socket_path(std::string_view host) { return host.starts_with('/') || host.ends_with(".sock"); }

std::string_view key_of(const Request& request) {
    const std::string_view authorization = request.header("authorization");
    if (starts_with_ignoring_case(authorization, "bearer ")) return trim(authorization.substr(7));
    return request.header("x-api-key");
}

bool origin_allowed(const Settings& settings, std::string_view origin, std::string_view host) {
    const std::string_view place = without_scheme(origin);
    if (place == host) return true;
    return std::ranges::any_of(settings.origins, [&](const std::string& allowed) {
        if (allowed == "localhost") return is_loopback(host_name(place));
        return allowed == "*" || allowed == origin;
    });
}

std::optional<Error> refuse_foreign(const Request& request, const Settings& settings) {
    const std::string_view host = request.header("host");
    const auto forbidden = [](std::string message) {
        return Error{.status = 403, .type = "permission_error", .message = std::move(message)};
    };
    const bool local = std::ranges::all_of(
        settings.hosts, [](const std::string& own) { return is_loopback(own) || is_socket_path(own); });
    if (local && !host.empty() && !is_loopback(host_name(host)))
        return forbidden(cat("the host ", quoted(host), " is not this machine"));
    const std::string_view origin = request.header("origin");
    if (!origin.empty() && !origin_allowed(settings, origin, host))
        return forbidden(cat("pages of ", quoted(origin), " may not use this server; --cors-origins allows them"));
    return std::nullopt;
}

void add_origin_headers(const Request& request, const Settings& settings, Response& response) {
    const std::string_view origin = request.header("origin");
    if (origin.empty() || !origin_allowed(settings, origin, request.header("host"))) return;
    response.headers.emplace_back("Access-Control-Allow-Origin", origin);
    response.headers.emplace_back("Vary", "Origin");
    if (settings.origin_credentials)
        response.headers.emplace_back("Access-Control-Allow-Credentials", "true");
}

Response preflight() {
    Response response = {.content_type = "text/plain"};
    response.headers = {{"Access-Control-Allow-Methods", "GET, POST, DELETE, OPTIONS"},
                        {"Access-Control-Allow-Headers", "*"},
                        {"Access-Control-Max-Age", "600"}};
    return response;
}

}  // namespace ingle::server
