// The same answer in the forms of Anthropic, Ollama and OpenAI's Responses.
#include "support.h"

namespace ingle::server {

using Surfaces = ServerTest;

namespace {

const Json question = Json::array({{{"role", "user"}, {"content", "Hello"}}});

// The names of a stream's events, repeated ones once.
std::vector<std::string> names_of(const std::vector<Json>& events) {
    std::vector<std::string> names;
    for (const Json& event : events) {
        const std::string name = event.value("type", "");
        if (names.empty() || names.back() != name) names.push_back(name);
    }
    return names;
}

}  // namespace

TEST_F(Surfaces, anthropic_gets_blocks_and_its_own_reasons) {
    will_say("Once upon", FinishReason::length);
    const Json reply = answer(post("/v1/messages", {{"messages", question}, {"max_tokens", 5}}));
    EXPECT_EQ(reply["type"], "message");
    EXPECT_EQ(reply["content"], Json::array({{{"type", "text"}, {"text", "Once upon"}}}));
    EXPECT_EQ(reply["stop_reason"], "max_tokens");
    const Json& usage = reply["usage"];
    EXPECT_EQ(usage["input_tokens"].get<size_t>() + usage["cache_read_input_tokens"].get<size_t>(),
              engine->requests[0].prompt.size());
}

TEST_F(Surfaces, an_anthropic_stream_opens_and_closes_every_block) {
    will_say("Once upon");
    Response response = post("/v1/messages", {{"messages", question}, {"stream", true}});
    const auto found = events(response);
    EXPECT_EQ(names_of(found),
              (std::vector<std::string>{"message_start", "content_block_start", "content_block_delta",
                                        "content_block_stop", "message_delta", "message_stop"}));
    EXPECT_EQ(found[found.size() - 2]["delta"]["stop_reason"], "end_turn");
}

TEST_F(Surfaces, anthropic_errors_have_anthropics_form) {
    const Response response = post("/v1/messages", {{"messages", Json::array()}});
    EXPECT_EQ(response.status, 400);
    EXPECT_EQ(answer(response)["type"], "error");
    EXPECT_EQ(answer(response)["error"]["type"], "invalid_request_error");
}

TEST_F(Surfaces, what_a_tool_answered_reaches_the_prompt_and_pictures_are_refused) {
    will_say("x");
    const Json call = {{"type", "tool_use"}, {"id", "t1"}, {"name", "clock"}, {"input", Json::object()}};
    const Json result = {{"type", "tool_result"}, {"tool_use_id", "t1"}, {"content", "noon"}};
    const Json messages = {{{"role", "user"}, {"content", "What time is it?"}},
                           {{"role", "assistant"}, {"content", Json::array({call})}},
                           {{"role", "user"}, {"content", Json::array({result})}}};
    EXPECT_EQ(post("/v1/messages", {{"messages", messages}}).status, 200);
    const auto prompt = tiny_model()->tokenizer()->decode(engine->requests.back().prompt, true);
    EXPECT_NE(prompt.find("noon"), std::string::npos) << prompt;
    const Json picture = {{"type", "image"}, {"source", {{"type", "base64"}, {"data", ""}}}};
    const Json with_picture = {{"type", "tool_result"}, {"tool_use_id", "t1"}, {"content", Json::array({picture})}};
    for (const Json& block : {picture, with_picture})
        EXPECT_EQ(post("/v1/messages", {{"messages", Json::array({{{"role", "user"}, {"content", Json::array({block})}}})}}).status,
                  400);
}

TEST_F(Surfaces, tokens_are_counted_without_an_answer) {
    const size_t counted = answer(post("/v1/messages/count_tokens", {{"messages", question}}))["input_tokens"];
    EXPECT_TRUE(engine->requests.empty());
    will_say("x");
    post("/v1/messages", {{"messages", question}});
    EXPECT_EQ(engine->requests[0].prompt.size(), counted);
}

TEST_F(Surfaces, ollama_gets_lines_of_json_and_durations) {
    will_say("Once upon", FinishReason::length);
    Response response = post("/api/chat", {{"messages", question}, {"options", {{"num_predict", 4}, {"temperature", 0}}}});
    EXPECT_EQ(response.content_type, "application/x-ndjson");
    const std::string lines = drained(response);
    std::string text;
    Json last;
    for (const std::string_view line : split(lines, '\n')) {
        if (line.empty()) continue;
        last = Json::parse(line);
        text += last["message"].value("content", "");
    }
    EXPECT_EQ(text, "Once upon");
    EXPECT_EQ(last["done"], true);
    EXPECT_EQ(last["done_reason"], "length");
    EXPECT_EQ(last["eval_duration"], 20'000'000);
    EXPECT_EQ(engine->requests[0].tokens_max, 4);
    const Json whole = answer(post("/api/generate", {{"prompt", "Hi"}, {"stream", false}, {"raw", true}}));
    EXPECT_EQ(whole["response"], "Once upon");
    EXPECT_EQ(answer(post("/api/chat", {{"messages", 5}})), Json({{"error", "'messages': expected a list, found '5'"}}));
}

TEST_F(Surfaces, a_response_may_be_continued_by_its_id_by_the_same_client_only) {
    start({.api_keys = {{"one", "k1"}, {"two", "k2"}}});
    will_say("Once upon");
    const auto ask = [this](const Json& body, const char* key) {
        return send("POST", "/v1/responses", dump(body), {{"x-api-key", key}});
    };
    const Json first = answer(ask({{"input", "Hello"}}, "k1"));
    EXPECT_EQ(first["output"][0]["content"][0]["text"], "Once upon");
    const Json more = {{"input", "And then?"}, {"previous_response_id", first["id"]}};
    EXPECT_EQ(ask(more, "k1").status, 200);
    const auto prompt = tiny_model()->tokenizer()->decode(engine->requests.back().prompt, true);
    EXPECT_LT(prompt.find("Hello"), prompt.find("Once upon"));
    EXPECT_LT(prompt.find("Once upon"), prompt.find("And then?"));
    EXPECT_EQ(ask(more, "k2").status, 404);
    const std::string path = "/v1/responses/" + first["id"].get<std::string>();
    EXPECT_EQ(send("GET", path, "", {{"x-api-key", "k1"}}).status, 200);
    EXPECT_EQ(send("DELETE", path, "", {{"x-api-key", "k2"}}).status, 404);
    EXPECT_EQ(send("DELETE", path, "", {{"x-api-key", "k1"}}).status, 200);
    EXPECT_EQ(ask(more, "k1").status, 404);
}

TEST_F(Surfaces, a_stream_of_responses_names_each_step) {
    will_say("Once upon");
    Response response = post("/v1/responses", {{"input", "Hello"}, {"stream", true}});
    const auto found = events(response);
    EXPECT_EQ(names_of(found),
              (std::vector<std::string>{"response.created", "response.in_progress", "response.output_item.added",
                                        "response.content_part.added", "response.output_text.delta",
                                        "response.output_text.done", "response.content_part.done",
                                        "response.output_item.done", "response.completed"}));
    for (size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i]["sequence_number"], i);
}

TEST_F(Surfaces, embeddings_are_numbers_or_base64) {
    engine->embedding_script = [](const EmbeddingRequest&, FakeStream& stream) {
        stream.add(Embedding{.values = {1, -2}, .tokens = 3});
        stream.add(Done{});
    };
    const Json plain = answer(post("/v1/embeddings", {{"input", {"a", "b"}}}));
    EXPECT_EQ(plain["data"][1]["embedding"], Json({1.0, -2.0}));
    EXPECT_EQ(plain["usage"]["total_tokens"], 6);
    const Json encoded = answer(post("/v1/embeddings", {{"input", "a"}, {"encoding_format", "base64"}}));
    EXPECT_EQ(encoded["data"][0]["embedding"], "AACAPwAAAMA=");
    EXPECT_EQ(answer(post("/api/embed", {{"input", "a"}}))["embeddings"], Json::array({Json({1.0, -2.0})}));
    EXPECT_EQ(answer(post("/embedding", {{"content", "a"}}))[0]["embedding"], Json::array({Json({1.0, -2.0})}));
}

TEST_F(Surfaces, prompts_of_embeddings_count_as_prompts) {
    start({.show_metrics = true});
    engine->embedding_script = [](const EmbeddingRequest&, FakeStream& stream) {
        stream.add(Embedding{.values = {1, -2}, .tokens = 3});
        stream.add(Done{});
    };
    post("/v1/embeddings", {{"input", {"a", "b"}}});
    const std::string text = send("GET", "/metrics").body;
    EXPECT_NE(text.find("llamacpp:prompt_tokens_total 6\n"), std::string::npos) << text;
}

}  // namespace ingle::server
