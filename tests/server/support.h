// A service on the bundled model with an engine that is told what to say.
#pragma once

#include <gtest/gtest.h>

#include "chat/builtin.h"
#include "fake_engine.h"
#include "sampling/options.h"
#include "server/error.h"
#include "server/json.h"
#include "server/served_model.h"
#include "server/service.h"
#include "support/fixtures.h"

namespace ingle::server {

std::shared_ptr<const Model> tiny_model();

class ServerTest : public ::testing::Test {
  protected:
    void start(Settings settings = {}) {
        service = std::make_unique<Service>(std::move(settings));
        engine = std::make_shared<FakeEngine>(tiny_model());
        auto served = std::make_shared<ServedModel>();
        served->engine = engine;
        served->name = "tiny";
        served->aliases = {"tiny", "little"};
        served->sampling = OptionValues(sampling::sampling_options());
        served->chat_template = *chat::ChatTemplate::parse(std::string(chat::find_builtin_template("chatml")->source));
        service->models().set_only(std::move(served));
    }
    void SetUp() override { start(); }

    // Every request says this.
    void will_say(const std::string& text, FinishReason reason = FinishReason::end_of_generation) {
        engine->script = [this, text, reason](const GenerationRequest& request, FakeStream& stream) {
            for (int i = 0; i < request.choices; ++i) engine->say(stream, request, text, reason, i);
            stream.add(Done{});
        };
    }
    void will_fail(Code code, const std::string& message) {
        engine->script = [code, message](const GenerationRequest&, FakeStream& stream) {
            stream.add(Done{Status(code, message)});
        };
    }

    Response send(std::string method, std::string path, std::string body = {},
                  std::map<std::string, std::string, std::less<>> headers = {}) {
        Request request;
        request.method = std::move(method);
        const size_t question = path.find('?');
        request.path = path.substr(0, question);
        if (question != std::string::npos) request.query = path.substr(question + 1);
        request.headers = std::move(headers);
        request.body = std::move(body);
        request.id = "req-test";
        request.peer = "127.0.0.1";
        Response response = respond(std::move(request), *service);
        while (response.later || response.then) {
            Response there;
            if (response.then) there = response.then();
            else if (!response.later->poll(there)) return response;
            response = std::move(there);
        }
        return response;
    }
    Response post(const std::string& path, const Json& body) { return send("POST", path, dump(body)); }
    Json answer(const Response& response) { return Json::parse(response.body, nullptr, false); }

    // All that a stream sends until it ends or waits.
    std::string drained(Response& response) {
        std::string out;
        for (int i = 0; response.stream && i < 10000; ++i)
            if (response.stream->pull(out, 1 << 20) != Body::State::more) break;
        return out;
    }
    // The data of its events, [DONE] as text.
    std::vector<Json> events(Response& response) {
        std::vector<Json> found;
        const std::string text = drained(response);
        for (const std::string_view line : split(text, '\n')) {
            if (!line.starts_with("data: ")) continue;
            const std::string_view data = line.substr(6);
            found.push_back(data == "[DONE]" ? Json("[DONE]") : Json::parse(data, nullptr, false));
        }
        return found;
    }

    std::unique_ptr<Service> service;
    std::shared_ptr<FakeEngine> engine;
};

}  // namespace ingle::server
