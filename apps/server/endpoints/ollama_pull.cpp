// POST /api/pull: Ollama's; {"model"} is downloaded, with a line of JSON for each step. A client that leaves stops it,
// unless somebody else waits for the same.
#include "server/json.h"
#include "server/model_files.h"
#include "server/service.h"

namespace ingle::server {

namespace {

Json last_words(const Status& status) {
    return status.ok() ? Json{{"status", "success"}} : error_body(error_of(status), Dialect::ollama);
}

class Lines : public Body {
  public:
    explicit Lines(std::unique_ptr<DownloadWatch> watch) : watch_(std::move(watch)) {}

    void on_ready(std::function<void()> wake) override { watch_->on_ready(std::move(wake)); }
    State pull(std::string& out, size_t) override {
        DownloadState state;
        if (!watch_->take(state)) return State::waiting;
        if (!std::exchange(begun_, true)) line(out, {{"status", "pulling manifest"}});
        // Of files that are whole the last line was told already.
        for (size_t i = told_; i < state.files.size(); ++i) {
            const DownloadState::File& file = state.files[i];
            Json json = {{"status", "pulling " + file.name}, {"digest", file.name}};
            if (file.total > 0) {
                json["total"] = file.total;
                json["completed"] = file.done;
            }
            line(out, json);
        }
        told_ = state.files.empty() ? 0 : state.files.size() - 1;
        if (!state.ended) return State::more;
        line(out, last_words(state.status));
        return State::ended;
    }
    std::string farewell() override { return "{\"error\":\"the server is about to end\"}\n"; }

  private:
    static void line(std::string& out, const Json& json) { (out += dump(json)) += '\n'; }

    std::unique_ptr<DownloadWatch> watch_;
    bool begun_ = false;
    size_t told_ = 0;
};

// Without a stream: the end alone.
class End : public LaterResponse {
  public:
    explicit End(std::unique_ptr<DownloadWatch> watch) : watch_(std::move(watch)) {}

    void on_ready(std::function<void()> wake) override { watch_->on_ready(std::move(wake)); }
    bool poll(Response& response) override {
        DownloadState state;
        while (watch_->take(state)) {}
        if (!state.ended) return false;
        response = state.status.ok() ? json_response(last_words(state.status))
                                     : error_response(state.status, Dialect::ollama);
        return true;
    }

  private:
    std::unique_ptr<DownloadWatch> watch_;
};

Result<Response> download(const Request& request, Service& service) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    Fields fields(body);
    const std::string name = fields.text("model", fields.text("name"));
    const bool stream = fields.flag("stream", true);
    if (name.empty()) fields.wrong("'model' is required");
    INGLE_TRY(fields.status());
    INGLE_ASSIGN(auto watch, service.downloads().watch(name));
    Response response;
    if (stream) {
        response.content_type = "application/x-ndjson";
        response.stream = std::make_unique<Lines>(std::move(watch));
    } else {
        response.later = std::make_unique<End>(std::move(watch));
    }
    return response;
}

Response answer(const Request& request, Service& service) {
    if (const auto refusal = refuse_management(service.settings())) return error_response(*refusal, Dialect::ollama);
    auto response = download(request, service);
    return response.ok() ? std::move(*response) : error_response(response.status(), Dialect::ollama);
}

}  // namespace

namespace entries {
extern const Endpoint ollama_pull;
const Endpoint ollama_pull = {.method = "POST", .path = "/api/pull", .open = false, .respond = answer,
                              .dialect = Dialect::ollama};
}  // namespace entries

}  // namespace ingle::server
