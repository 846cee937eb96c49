#include "support.h"

namespace ingle::server {

using Endpoints = ServerTest;

TEST_F(Endpoints, a_path_and_its_method_find_their_file) {
    const Response response = send("GET", "/health");
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, R"({"status":"ok"})");
}

TEST_F(Endpoints, no_other_form_of_a_path_is_answered) {
    for (const char* const path : {"//health", "/Health", "/health/", "/v1/../health", "/%68ealth", ""})
        EXPECT_EQ(send("GET", path).status, 404) << path;
    EXPECT_EQ(send("POST", "/health").status, 405);
}

TEST_F(Endpoints, errors_are_json_whatever_the_path_holds) {
    const Response response = send("GET", "/\xff\"\n");
    EXPECT_EQ(response.body,
              R"({"error":{"code":404,"message":"there is nothing at /)"
              "\xef\xbf\xbd" R"(\"\n","type":"not_found_error"}})");
}

TEST_F(Endpoints, the_rest_of_a_path_reaches_an_endpoint_that_asks_for_it) {
    EXPECT_EQ(send("GET", "/v1/models/tiny").status, 200);
    EXPECT_EQ(send("GET", "/v1/models/other").status, 404);
    EXPECT_EQ(answer(send("GET", "/v1/models/other"))["error"]["code"], "model_not_found");
}

TEST_F(Endpoints, while_the_model_is_loaded_health_says_503) {
    Service empty{Settings()};
    EXPECT_EQ(respond({.method = "GET", .path = "/health"}, empty).status, 503);
}

TEST_F(Endpoints, with_a_key_nothing_but_health_and_the_page_is_answered_without_it) {
    start({.api_keys = {{"one", "sk-secret"}}});
    for (const Endpoint* const endpoint : all_endpoints()) {
        for (const std::string_view path : split(endpoint->path, ' ')) {
            const std::string method(endpoint->method), place(path.substr(0, path.find('{')));
            const bool may_be_open = place == "/health" || place == "/v1/health" || place == "/" ||
                                     place == "/index.html";
            EXPECT_EQ(endpoint->open, may_be_open) << path;
            if (!endpoint->open) {
                EXPECT_EQ(send(method, place).status, 401) << path;
            }
        }
    }
    for (const char* const path : {"//v1/models", "/V1/models", "/v1/../v1/models", "/v1/models/", "/%76"})
        for (const char* const method : {"GET", "POST", "HEAD", "DELETE"})
            EXPECT_EQ(send(method, path).status, 401) << path;
    EXPECT_EQ(send("GET", "/v1/models", "", {{"authorization", "Bearer sk-secret"}}).status, 200);
    EXPECT_EQ(send("GET", "/v1/models", "", {{"x-api-key", "sk-secret"}}).status, 200);
    EXPECT_EQ(send("GET", "/v1/models", "", {{"authorization", "Bearer sk-secrez"}}).status, 401);
}

TEST_F(Endpoints, strange_hosts_and_pages_are_refused) {
    EXPECT_EQ(send("GET", "/v1/models", "", {{"host", "localhost:8080"}}).status, 200);
    EXPECT_EQ(send("GET", "/v1/models", "", {{"host", "[::1]:8080"}}).status, 200);
    for (const char* const host : {"evil.example:8080", "127.evil.example", "localhost.evil.example", "evil.sock", "/evil"})
        EXPECT_EQ(send("GET", "/v1/models", "", {{"host", host}}).status, 403) << host;
    EXPECT_EQ(
        send("GET", "/v1/models", "", {{"host", "127.0.0.1"}, {"origin", "https://evil.example"}})
            .status,
        403);
    const Response local =
        send("GET", "/v1/models", "", {{"host", "127.0.0.1"}, {"origin", "http://localhost:3000"}});
    EXPECT_EQ(local.status, 200);
    bool echoed = false;
    for (const auto& [name, value] : local.headers) {
        echoed = echoed || (name == "Access-Control-Allow-Origin" && value == "http://localhost:3000");
        EXPECT_NE(name, "Access-Control-Allow-Credentials");
    }
    EXPECT_TRUE(echoed);
}

TEST_F(Endpoints, deep_or_broken_json_is_a_wrong_request) {
    const std::string deep(200'000, '[');
    for (const std::string& body :
         {deep, std::string("{"), std::string("[1]"), std::string("\xff"), "{\"a\":" + deep})
        EXPECT_EQ(send("POST", "/tokenize", body).status, 400);
}

TEST_F(Endpoints, tokens_of_a_text_and_back) {
    const Json tokens = answer(post("/tokenize", {{"content", "Once upon"}, {"add_special", true}}))["tokens"];
    ASSERT_TRUE(tokens.is_array());
    EXPECT_EQ(tokens[0], 1);
    EXPECT_EQ(answer(post("/detokenize", {{"tokens", tokens}}))["content"], "<s>Once upon");
    EXPECT_EQ(post("/detokenize", {{"tokens", {1, 99999}}}).status, 400);
    const Json pieces = answer(post("/tokenize", {{"content", "Once"}, {"with_pieces", true}}))["tokens"];
    EXPECT_EQ(pieces[0]["id"], 403);
}

TEST_F(Endpoints, files_of_slots_stay_in_their_folder) {
    EXPECT_EQ(post("/slots/0?action=save", {{"filename", "a.bin"}}).status, 501);
    start({.slot_save_folder = "/folder"});
    EXPECT_EQ(answer(post("/slots/0?action=save", {{"filename", "a.bin"}}))["n_saved"], 7);
    EXPECT_EQ(engine->saved.back(), "/folder/a.bin");
    for (const char* const name : {"", "..", "../x", "/x", "a/b", "a\\b", "a\nb"})
        EXPECT_EQ(post("/slots/0?action=save", {{"filename", name}}).status, 400) << name;
    EXPECT_EQ(engine->saved.size(), 1u);
    EXPECT_EQ(post("/slots/0?action=restore", {{"filename", "b.bin"}}).status, 400);
    EXPECT_EQ(answer(send("POST", "/slots/1?action=erase"))["n_erased"], 7);
    EXPECT_EQ(send("POST", "/slots/9?action=erase").status, 400);
    EXPECT_EQ(send("POST", "/slots/x?action=erase").status, 400);
}

}  // namespace ingle::server
