// HTTP for downloads and for questions to a server, by libcurl. A build without it says so.
//
// Redirects are followed here, one by one: the key goes to no other host, and none leads to an address of this machine
// or its own network unless the first address was one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>

#include "base/status.h"

namespace ingle::hub {

struct HttpRequest {
    std::string url = {};
    std::string token = {};       // sent as a bearer's; empty: none
    int64_t from = 0;             // bytes of the body to leave out
    std::string if_range = {};    // what those bytes belong to: its entity tag
    bool headers_only = false;
    std::string post = {};        // a body of JSON to send; empty: nothing is sent, the request is a GET
};

struct HttpReply {
    int status = 0;
    // Of every answer on the way, names in small letters; the first to say something wins, since hubs describe a file
    // before they redirect to its place.
    std::map<std::string, std::string> headers;
    std::map<std::string, std::string> last_headers;  // of the last answer alone
    std::string refusal = {};  // the beginning of the last body, if the answer is not of the 2xx kind
};

// Gets the body of an answer of the 2xx kind; a failure ends the request.
using HttpSink = std::function<Status(const HttpReply& reply, std::span<const std::byte> bytes)>;

// Fails when no answer came, or when it broke off; answers of any status are replies.
Result<HttpReply> http_get(const HttpRequest& request, const HttpSink& sink);

}  // namespace ingle::hub
