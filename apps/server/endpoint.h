// An endpoint of the HTTP server: one file in endpoints/ that defines one constant of this type. Requests and
// responses are plain values here, so that endpoints are tested without a socket; the transport is another file's.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace ingle::server {

struct Request {
    std::string method;       // "GET", in capitals
    std::string path;         // without query, as sent
    std::map<std::string, std::string, std::less<>> headers = {};  // names in small letters
    std::string body = {};
};

struct Response {
    int status = 200;
    std::string content_type = "application/json";
    std::string body = {};
};

struct Endpoint {
    std::string_view method;
    std::string_view path;
    bool open;  // answers without a key
    Response (*respond)(const Request&);
};

// Every endpoint of this build, by file name.
std::span<const Endpoint* const> all_endpoints();

// Finds the endpoint and asks it. An unknown path is 404, a known path with another method 405, both with an
// error object as OpenAI's clients expect it. Paths are compared byte for byte: no form of a path that was not
// written down reaches an endpoint.
Response respond(const Request& request);

}  // namespace ingle::server
