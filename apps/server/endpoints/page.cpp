// GET /: the page.
#include "server/page.h"

#include "server/error.h"
#include "server/service.h"

namespace ingle::server {

namespace {

Response answer(const Request&, Service& service) {
    if (!service.settings().show_page || page_html().empty())
        return error_response({.status = 404, .type = "not_found_error", .message = "there is no page here"});
    Response response = {.content_type = "text/html; charset=utf-8", .body = std::string(page_html())};
    response.headers = {{"Content-Security-Policy", std::string(page_policy())},
                        {"X-Content-Type-Options", "nosniff"},
                        {"Referrer-Policy", "no-referrer"},
                        {"Cache-Control", "no-cache"}};
    return response;
}

}  // namespace

namespace entries {
extern const Endpoint page;
const Endpoint page = {.method = "GET", .path = "/ /index.html", .open = true, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
