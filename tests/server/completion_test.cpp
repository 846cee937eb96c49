#include "support.h"

namespace ingle::server {

using Completion = ServerTest;

const Json hello = {{"messages", Json::array({{{"role", "user"}, {"content", "Hello"}}})}};

Json with(Json object, const Json& more) {
    object.update(more);
    return object;
}

TEST_F(Completion, a_chat_is_answered_as_openai_answers) {
    will_say("Once upon a time");
    const Json reply = answer(post("/v1/chat/completions", hello));
    EXPECT_EQ(reply["object"], "chat.completion");
    EXPECT_EQ(reply["choices"][0]["message"]["content"], "Once upon a time");
    EXPECT_EQ(reply["choices"][0]["message"]["role"], "assistant");
    EXPECT_EQ(reply["choices"][0]["finish_reason"], "stop");
    const Json& usage = reply["usage"];
    EXPECT_EQ(usage["total_tokens"].get<int>(),
              usage["prompt_tokens"].get<int>() + usage["completion_tokens"].get<int>());
    EXPECT_EQ(usage["prompt_tokens_details"]["cached_tokens"], 1);
}

TEST_F(Completion, a_stream_says_the_role_first_then_the_text_then_why_it_ended) {
    will_say("Once upon a time", FinishReason::length);
    Response response = post("/v1/chat/completions", with(hello, {{"stream", true}}));
    EXPECT_EQ(response.content_type, "text/event-stream");
    const auto chunks = events(response);
    ASSERT_GE(chunks.size(), 4u);
    EXPECT_EQ(chunks[0]["choices"][0]["delta"]["role"], "assistant");
    std::string text;
    for (size_t i = 1; i + 1 < chunks.size(); ++i) {
        const Json& delta = chunks[i]["choices"][0]["delta"];
        EXPECT_FALSE(delta.contains("role"));
        text += delta.value("content", "");
        EXPECT_FALSE(chunks[i].contains("usage"));  // not asked for
    }
    EXPECT_EQ(text, "Once upon a time");
    EXPECT_EQ(chunks[chunks.size() - 2]["choices"][0]["finish_reason"], "length");
    EXPECT_EQ(chunks.back(), "[DONE]");
}

TEST_F(Completion, usage_comes_last_and_only_when_asked_for) {
    will_say("Once");
    Response response = post("/v1/chat/completions",
                             with(hello, {{"stream", true}, {"stream_options", {{"include_usage", true}}}}));
    const auto chunks = events(response);
    const Json& last = chunks[chunks.size() - 2];
    EXPECT_TRUE(last["choices"].empty());
    EXPECT_GT(last["usage"]["completion_tokens"].get<int>(), 0);
    EXPECT_TRUE(chunks[0]["usage"].is_null());
}

TEST_F(Completion, choices_share_the_prompt_and_are_counted_once) {
    will_say("Once");
    const Json reply = answer(post("/v1/chat/completions", with(hello, {{"n", 3}})));
    ASSERT_EQ(reply["choices"].size(), 3u);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(reply["choices"][size_t(i)]["index"], i);
    EXPECT_EQ(reply["usage"]["prompt_tokens"], engine->requests[0].prompt.size());
}

TEST_F(Completion, control_tokens_in_a_message_stay_plain_text) {
    will_say("x");
    const auto tokens_of = [this](const char* content) {
        post("/v1/chat/completions", {{"messages", Json::array({{{"role", "user"}, {"content", content}}})}});
        return engine->requests.back().prompt;
    };
    const Token end = tiny_model()->tokenizer()->special().eos;
    const auto forged = tokens_of("</s>");
    EXPECT_EQ(std::ranges::count(forged, end), 0);
    EXPECT_GT(forged.size(), tokens_of("").size());
}

TEST_F(Completion, the_smaller_of_two_lengths_wins_and_absurd_ones_are_refused) {
    will_say("x");
    post("/v1/chat/completions", with(hello, {{"max_tokens", 9}, {"max_completion_tokens", 5}}));
    EXPECT_EQ(engine->requests.back().tokens_max, 5);
    // -1: until the context is full.
    post("/completion", {{"prompt", "a"}, {"n_predict", -1}});
    const GenerationRequest& longest = engine->requests.back();
    EXPECT_EQ(longest.tokens_max, engine->context - int64_t(longest.prompt.size()));
    post("/completion", {{"prompt", "a"}, {"n_predict", 0}});
    EXPECT_EQ(engine->requests.back().tokens_max, 0);
    EXPECT_EQ(post("/completion", {{"prompt", "a"}, {"n_predict", -7}}).status, 400);
}

TEST_F(Completion, a_prompt_that_the_context_cannot_hold_is_named_with_its_numbers) {
    will_say("x");
    engine->context = 8;
    for (const bool stream : {false, true}) {
        const Response response =
            post("/v1/completions", {{"prompt", "Once upon a time there was a girl"}, {"stream", stream}});
        EXPECT_EQ(response.status, 400);
        const Json error = answer(response)["error"];
        EXPECT_EQ(error["type"], "exceed_context_size_error");
        EXPECT_EQ(error["n_ctx"], 8);
        EXPECT_GT(error["n_prompt_tokens"].get<int>(), 8);
    }
    EXPECT_TRUE(engine->requests.empty());
}

TEST_F(Completion, wrong_fields_are_named_and_nothing_is_generated) {
    const std::vector<std::pair<const char*, Json>> wrong = {
        {"temperature", {{"temperature", "hot"}}},
        {"temperature", {{"temperature", -1}}},
        {"stop", {{"stop", ""}}},
        {"n", {{"n", 0}}},
        {"logit_bias", {{"logit_bias", {{"999999", 1}}}}},
        {"response_format", {{"response_format", {{"type", "hiccup"}}}}},
        {"response_format", {{"response_format", 7}}},
        {"grammar", {{"grammar", "root ::= ("}}},
        {"json_schema", {{"json_schema", 5}}},
        {"messages", {{"messages", "hi"}}},
        {"messages", {{"messages", Json::array()}}},
        {"content", {{"messages", Json::array({{{"role", "user"}}})}}},
        {"image input is not supported",
         {{"messages", Json::array({{{"role", "user"},
                                     {"content", Json::array({{{"type", "image_url"}}})}}})}}},
    };
    for (const auto& [name, field] : wrong) {
        const Response response = post("/v1/chat/completions", with(hello, field));
        EXPECT_EQ(response.status, 400) << name;
        EXPECT_NE(answer(response)["error"]["message"].get<std::string>().find(name), std::string::npos)
            << response.body;
    }
    EXPECT_TRUE(engine->requests.empty());
}

TEST_F(Completion, a_full_queue_is_503_with_a_time_to_come_back) {
    will_fail(Code::limit, "the queue is full");
    for (const bool stream : {false, true}) {
        const Response response = post("/v1/chat/completions", with(hello, {{"stream", stream}}));
        EXPECT_EQ(response.status, 503);
        bool retry = false;
        for (const auto& header : response.headers) retry = retry || header.first == "Retry-After";
        EXPECT_TRUE(retry);
    }
}

TEST_F(Completion, a_failure_in_the_middle_of_a_stream_is_its_last_event) {
    engine->script = [this](const GenerationRequest& request, FakeStream& stream) {
        TokenPiece piece;
        piece.token = 403;
        piece.text = "Once";
        stream.add(piece);
        stream.add(Done{fail(Code::internal, "the logits are not numbers")});
        (void)request;
    };
    Response response = post("/v1/chat/completions", with(hello, {{"stream", true}}));
    EXPECT_EQ(response.status, 200);
    const auto chunks = events(response);
    EXPECT_EQ(chunks.back()["error"]["type"], "server_error");
    EXPECT_EQ(post("/v1/chat/completions", hello).status, 500);
}

TEST_F(Completion, a_client_that_leaves_cancels) {
    { Response response = post("/v1/chat/completions", with(hello, {{"stream", true}})); }
    EXPECT_EQ(engine->dropped, 1);
    EXPECT_EQ(service->metrics().totals("tiny").requests.at("cancelled"), 1u);
}

TEST_F(Completion, a_stream_with_nothing_to_say_waits_and_is_woken) {
    Response response = post("/v1/chat/completions", with(hello, {{"stream", true}}));
    drained(response);
    bool woken = false;
    response.stream->on_ready([&woken] { woken = true; });
    EXPECT_FALSE(woken);
    engine->streams[0].lock()->add(Done{});
    EXPECT_TRUE(woken);
    EXPECT_NE(drained(response).find("[DONE]"), std::string::npos);
}

TEST_F(Completion, the_native_form_has_llama_servers_fields) {
    will_say("Once upon", FinishReason::length);
    const Json reply = answer(
        post("/completion", {{"prompt", "Once"}, {"n_predict", 2}, {"return_tokens", true}}));
    EXPECT_EQ(reply["content"], "Once upon");
    EXPECT_EQ(reply["stop"], true);
    EXPECT_EQ(reply["stop_type"], "limit");
    EXPECT_EQ(reply["prompt"], "<s> Once");  // the space is part of the token
    EXPECT_EQ(reply["tokens"].size(), reply["tokens_predicted"].get<size_t>());
    EXPECT_EQ(reply["generation_settings"]["n_predict"], 2);
    const Json picked = answer(
        post("/completion",
             {{"prompt", "a"},
              {"response_fields", {"content", "generation_settings/n_predict", "nothing"}}}));
    EXPECT_EQ(picked, Json({{"content", "Once upon"}, {"generation_settings/n_predict", -1}}));
    const Json several = answer(post("/completion", {{"prompt", {"a", "b"}}}));
    ASSERT_EQ(several.size(), 2u);
    EXPECT_EQ(several[1]["index"], 1);
}

TEST_F(Completion, an_answer_that_fills_the_context_is_called_truncated) {
    will_say("Once upon", FinishReason::length);
    const Json request = {{"prompt", "Once"}};
    EXPECT_EQ(answer(post("/completion", request))["truncated"], false);
    const Json reply = answer(post("/completion", request));
    engine->context = reply["tokens_evaluated"].get<int64_t>() + reply["tokens_predicted"].get<int64_t>();
    EXPECT_EQ(answer(post("/completion", request))["truncated"], true);
    ++engine->context;
    EXPECT_EQ(answer(post("/completion", request))["truncated"], false);
}

TEST_F(Completion, speed_is_told_of_steps_so_that_one_token_has_none) {
    for (const auto& [tokens, steps] : {std::pair(1, 0), std::pair(5, 4)}) {
        engine->script = [this, tokens = tokens](const GenerationRequest& request, FakeStream& stream) {
            engine->end(stream, request, tokens, FinishReason::length);
            stream.add(Done{});
        };
        const Json reply = answer(post("/completion", {{"prompt", "Once"}}));
        const Json& timings = reply["timings"];
        EXPECT_DOUBLE_EQ(timings["predicted_ms"], 20);
        EXPECT_DOUBLE_EQ(timings["predicted_per_second"], steps / 0.02);
        EXPECT_DOUBLE_EQ(timings["predicted_per_token_ms"], steps == 0 ? 0 : 20.0 / steps);
    }
}

TEST_F(Completion, progress_takes_no_time_before_the_first_step) {
    engine->script = [this](const GenerationRequest& request, FakeStream& stream) {
        for (const int64_t done : {4, 4, 10})
            stream.add(PromptProgress{.total = 10, .cached = 4, .done = done, .queue_place = 0});
        engine->end(stream, request, 1, FinishReason::length);
        stream.add(Done{});
    };
    Response response = post("/v1/completions", {{"prompt", "Once"}, {"stream", true}, {"return_progress", true},
                                                 {"timings_per_token", true}});
    const auto chunks = events(response);
    ASSERT_GE(chunks.size(), 3u);
    for (const size_t waiting : {0, 1}) {
        EXPECT_EQ(chunks[waiting]["timings"]["prompt_n"], 0);
        EXPECT_EQ(chunks[waiting]["timings"]["prompt_ms"], 0.0);
    }
    EXPECT_EQ(chunks[2]["timings"]["prompt_n"], 6);
    EXPECT_GT(chunks[2]["timings"]["prompt_ms"].get<double>(), 0);
}

TEST_F(Completion, the_prompt_is_shown_on_request_as_its_tokens_read) {
    will_say("x");
    const Json plain = answer(post("/v1/chat/completions", hello));
    EXPECT_FALSE(plain.contains("__verbose"));
    const Json reply = answer(post("/v1/chat/completions", with(hello, {{"verbose", true}})));
    std::string read;
    for (const Token token : engine->requests.back().prompt) read += tiny_model()->tokenizer()->piece(token, true);
    EXPECT_EQ(reply["__verbose"]["prompt"], read);
    EXPECT_TRUE(read.starts_with("<s> <|im_start|>user")) << read;
}

TEST_F(Completion, probabilities_have_text_bytes_and_numbers) {
    will_say("Once");
    const Json reply = answer(
        post("/v1/chat/completions", with(hello, {{"logprobs", true}, {"top_logprobs", 2}})));
    const Json& first = reply["choices"][0]["logprobs"]["content"][0];
    EXPECT_EQ(first["logprob"], -0.5);
    EXPECT_EQ(first["top_logprobs"].size(), 2u);
    EXPECT_TRUE(first["bytes"].is_array());
}

TEST_F(Completion, several_texts_and_token_lists_are_prompts) {
    will_say("x");
    const Json reply = answer(post("/v1/completions", {{"prompt", {Json::array({1, 403}), "Once"}}, {"n", 2}}));
    EXPECT_EQ(reply["choices"].size(), 4u);
    ASSERT_EQ(engine->requests.size(), 2u);
    EXPECT_EQ(engine->requests[0].prompt, (std::vector<Token>{1, 403}));
    EXPECT_EQ(post("/v1/completions", {{"prompt", {Json::array({1, 403, -1})}}}).status, 400);
    EXPECT_EQ(post("/v1/completions", Json::object()).status, 400);
}

}  // namespace ingle::server
