#include "server/endpoint.h"

#include <algorithm>
#include <cmath>

#include "server/access.h"
#include "server/error.h"
#include "server/json.h"
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

// The name by which a request asks for its model, where there are several.
Result<std::string> model_name_of(const Request& request, const Service& service) {
    std::string name = request.query_value("model");
    if (!name.empty() || !service.models().several()) return name;
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    Fields fields(body);
    name = fields.text("model");
    INGLE_TRY(fields.status());
    return name;
}

Response no_model(const Status& status, Dialect dialect) {
    Error error = error_of(status);
    if (status.code() == Code::not_found) error.extra["code"] = "model_not_found";
    return error_response(error, dialect);
}

// The answer of an endpoint whose model is being loaded.
class WithModel : public LaterResponse {
  public:
    WithModel(const Endpoint& endpoint, Request request, Service& service, std::shared_ptr<ModelWait> wait)
        : endpoint_(endpoint), request_(std::move(request)), service_(service), wait_(std::move(wait)) {}

    void on_ready(std::function<void()> wake) override { wait_->on_ready(std::move(wake)); }
    bool poll(Response& response) override {
        Result<BorrowedModel> model = BorrowedModel();
        if (!wait_->poll(model)) return false;
        if (!model.ok()) {
            response = no_model(model.status(), endpoint_.dialect);
            return true;
        }
        request_.model = std::move(*model);
        response.then = [request = std::make_shared<Request>(std::move(request_)), &endpoint = endpoint_,
                         &service = service_] { return endpoint.respond(*request, service); };
        return true;
    }

  private:
    const Endpoint& endpoint_;
    Request request_;
    Service& service_;
    std::shared_ptr<ModelWait> wait_;
};

Response too_many(const RateLimits::Decision& decision, Dialect dialect) {
    const int seconds = int(std::ceil(decision.retry_seconds));
    return error_response({.status = 429, .type = "rate_limit_error",
                           .message = cat("this client has used up its ", decision.what, " of this minute; in ",
                                          seconds, " s it may ask again"),
                           .extra = {{"code", "rate_limit_exceeded"}}, .retry_after_seconds = std::max(seconds, 1)},
                          dialect);
}

Response ask_model(const Endpoint& endpoint, Request& request, Service& service) {
    const auto name = model_name_of(request, service);
    if (!name.ok()) return error_response(name.status(), endpoint.dialect);
    auto wait = service.models().ask(*name, request.query_value("autoload") != "false");
    if (!wait.ok()) return no_model(wait.status(), endpoint.dialect);
    Result<BorrowedModel> model = BorrowedModel();
    if (!(*wait)->poll(model)) {
        Response response;
        response.later = std::make_unique<WithModel>(endpoint, request, service, std::move(*wait));
        return response;
    }
    if (!model.ok()) return no_model(model.status(), endpoint.dialect);
    request.model = std::move(*model);
    return endpoint.respond(request, service);
}

Response ask(const Endpoint& endpoint, Request& request, Service& service) {
    if (!endpoint.needs_model) return endpoint.respond(request, service);
    RateLimits::Decision decision = service.rates().take(request.client);
    Response response = decision.allowed ? ask_model(endpoint, request, service)
                                         : too_many(decision, endpoint.dialect);
    for (auto& header : decision.headers) response.headers.push_back(std::move(header));
    return response;
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
    if (found.endpoint != nullptr) return ask(*found.endpoint, request, service);
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
