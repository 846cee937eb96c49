// Reasoning over HTTP: its budget, its end on request, and where it goes in the answer.
#include "support.h"

namespace ingle::server {

namespace {

const Json question = Json::array({{{"role", "user"}, {"content", "Hello"}}});

}  // namespace

using Reasoning = ServerTest;

TEST_F(Reasoning, a_budget_of_the_request_or_of_the_server_reaches_the_engine) {
    start({.reasoning_budget = 9, .reasoning_budget_message = "Enough."});
    will_say("x");
    const auto budget_of = [&](const std::string& path, Json body) {
        body["messages"] = question;
        body["max_tokens"] = 5;
        EXPECT_EQ(post(path, body).status, 200);
        return engine->requests.back().reasoning.budget;
    };
    EXPECT_EQ(budget_of("/v1/chat/completions", Json::object()), 9);
    EXPECT_EQ(budget_of("/v1/chat/completions", {{"reasoning_budget", 3}}), 3);
    EXPECT_EQ(budget_of("/v1/chat/completions", {{"reasoning_budget", -1}}), -1);
    EXPECT_EQ(budget_of("/v1/messages", {{"thinking", {{"type", "enabled"}, {"budget_tokens", 4}}}}), 4);
    const ReasoningOptions& reasoning = engine->requests.back().reasoning;
    EXPECT_EQ(reasoning.open, "<think>");
    EXPECT_EQ(tiny_model()->tokenizer()->decode(reasoning.end_tokens, true), "Enough.\n</think>\n\n");
    EXPECT_EQ(post("/v1/chat/completions", {{"messages", question}, {"reasoning_budget", -2}}).status, 400);
    EXPECT_EQ(post("/v1/chat/completions", {{"messages", question}, {"reasoning_budget", "x"}}).status, 400);
}

TEST_F(Reasoning, what_begins_in_reasoning_is_read_so) {
    will_say("because</think>Yes");
    const auto message_of = [&](Json body) {
        body["messages"] = question;
        return answer(post("/v1/chat/completions", body))["choices"][0]["message"];
    };
    const Json open = message_of({{"thinking_forced_open", true}});
    EXPECT_EQ(open["reasoning_content"], "because");
    EXPECT_EQ(open["content"], "Yes");
    EXPECT_TRUE(engine->requests.back().reasoning.begins_open);
    const Json whole = message_of({{"thinking_forced_open", true}, {"reasoning_format", "none"}});
    EXPECT_NE(whole["content"].get<std::string>().find("because"), std::string::npos);
    EXPECT_FALSE(whole.contains("reasoning_content"));
    EXPECT_FALSE(message_of(Json::object()).contains("reasoning_content"));
}

TEST_F(Reasoning, an_answer_under_way_is_told_to_stop_by_its_client_alone) {
    start({.api_keys = {{"one", "k1"}, {"two", "k2"}}});
    const auto control = [&](const Json& body, const char* key) {
        return send("POST", "/v1/chat/completions/control", dump(body), {{"x-api-key", key}}).status;
    };
    std::string id;
    {
        engine->script = [](const GenerationRequest&, FakeStream& stream) {
            TokenPiece piece;
            piece.text = "hm";
            stream.add(std::move(piece));
        };
        Response response = send("POST", "/v1/chat/completions",
                                 dump({{"messages", question}, {"stream", true}}), {{"x-api-key", "k1"}});
        id = events(response).at(0)["id"];
        const Json order = {{"id", id}, {"action", "reasoning_end"}};
        EXPECT_EQ(control(order, "k2"), 404);
        EXPECT_EQ(engine->streams.back().lock()->reasoning_ended, 0);
        EXPECT_EQ(control(order, "k1"), 200);
        EXPECT_EQ(engine->streams.back().lock()->reasoning_ended, 1);
        EXPECT_EQ(control({{"id", id}, {"action", "sleep"}}, "k1"), 400);
        EXPECT_EQ(control({{"id", id}}, "k1"), 400);
    }
    EXPECT_EQ(control({{"id", id}, {"action", "reasoning_end"}}, "k1"), 404);  // it has ended
}

}  // namespace ingle::server
