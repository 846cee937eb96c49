// An endpoint of the HTTP server: one file in endpoints/ that defines one constant of this type. Requests and
// responses are plain values here, so that endpoints are tested without a socket; the transport is another's
// business (transport.h).
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingle::server {

class Service;
struct ServedModel;

// Whose form errors take.
enum class Dialect { openai, anthropic, ollama };

struct Request {
    std::string method;       // "GET", in capitals
    std::string path;         // without query, as sent
    std::string query = {};   // behind '?', as sent
    std::map<std::string, std::string, std::less<>> headers = {};  // names in small letters
    std::string body = {};
    std::string id = {};        // of this request, for logs and clients
    std::string peer = {};      // address of the client
    std::string client = {};    // whose share it counts to: the name of its key, else its address
    std::string parameter = {}; // what stood for {name} at the end of the endpoint's path, decoded
    std::shared_ptr<const ServedModel> model = {};  // whom it is for, if the endpoint needs one
    std::chrono::steady_clock::time_point arrival = std::chrono::steady_clock::now();

    std::string_view header(std::string_view name) const;
    // A value of the query, decoded; empty if it is not there.
    std::string query_value(std::string_view name) const;
};

// What comes later: a whole response or the next part of a body. Dropping it tells that the client is gone.
class Later {
  public:
    virtual ~Later() = default;
    // `wake` is called from any thread when there may be more; at once if there is. It must return soon.
    virtual void on_ready(std::function<void()> wake) = 0;
};

// A body in parts. The transport asks for more only when the client has taken what there was.
class Body : public Later {
  public:
    enum class State { more, waiting, ended };
    // Appends what there is, about `bytes_max` at most.
    virtual State pull(std::string& out, size_t bytes_max) = 0;
    // What may be sent when there was nothing else for long; empty: nothing.
    virtual std::string_view ping() const { return {}; }
    // The last words when the server must end it early.
    virtual std::string farewell() { return {}; }
};

// What a request came to, for the log; filled in while it is answered.
struct Account {
    std::string model;
    int64_t prompt_tokens = 0;
    int64_t cached_tokens = 0;
    int64_t tokens = 0;
    std::string finish;
};

class LaterResponse;

struct Response {
    int status = 200;
    std::string content_type = "application/json";
    std::string body = {};
    std::vector<std::pair<std::string, std::string>> headers = {};
    std::unique_ptr<Body> stream = {};         // instead of `body`
    std::unique_ptr<LaterResponse> later = {}; // instead of everything above
    std::function<Response()> then = {};       // likewise: called on a worker, makes the response
    std::shared_ptr<Account> account = {};
};

class LaterResponse : public Later {
  public:
    // True once it is there. What takes long is not done here but left to Response::then.
    virtual bool poll(Response& response) = 0;
};

struct Endpoint {
    std::string_view method;
    // One or more, separated by spaces. A last part in braces stands for the rest of a path: "/v1/models/{model}".
    std::string_view path;
    bool open;  // answers without a key
    Response (*respond)(const Request&, Service&);
    Dialect dialect = Dialect::openai;
    // Asked once the model of the request is in memory: Request::model.
    bool needs_model = false;
};

// Every endpoint of this build, by file name.
std::span<const Endpoint* const> all_endpoints();

// Checks host, origin and key (access.h), finds the endpoint and asks it. An unknown path is 404, a known path
// with another method 405, both with an error object. Paths are compared byte for byte: no form of a path that
// was not written down reaches an endpoint.
Response respond(Request request, Service& service);

// "a%20b+c" -> "a b c"
std::string url_decoded(std::string_view text);

}  // namespace ingle::server
