// The description of the server: every route is in it, every example answers as it says, and no field is read that it
// does not name.
#include "server/openapi/document.h"

#include <set>

#include "support.h"

namespace ingle::server {

namespace {

std::set<std::string>& fields_seen() {
    static std::set<std::string> seen;
    return seen;
}

class OpenApi : public ServerTest {
  protected:
    void SetUp() override {
        start();
        will_say("Once upon");
        engine->embedding_script = [](const EmbeddingRequest&, FakeStream& stream) {
            stream.add(Embedding{.values = {1, 2}, .tokens = 3});
            stream.add(Done{});
        };
    }
    void TearDown() override { Fields::observe(nullptr); }

    Response ask(const RouteDoc& route) {
        std::string path(route.path);
        if (const size_t brace = path.find('{'); brace != path.npos) path = path.substr(0, brace) + "none";
        return send(std::string(route.method), path, std::string(route.example));
    }
};

Json properties_of(const RouteDoc& route) {
    std::string method(route.method);
    for (char& c : method) c = char(std::tolower(c));
    const Json& operation = openapi_document()["paths"][std::string(route.path)][method];
    if (!operation.contains("requestBody")) return Json::object();
    return operation["requestBody"]["content"]["application/json"]["schema"]["properties"];
}

}  // namespace

TEST_F(OpenApi, every_route_is_in_it_and_nothing_else) {
    const Json& paths = openapi_document()["paths"];
    std::set<std::string> known;
    for (const Endpoint* const endpoint : all_endpoints()) {
        for (const std::string_view path : split(endpoint->path, ' ')) {
            std::string method(endpoint->method);
            for (char& c : method) c = char(std::tolower(c));
            known.insert(cat(path, " ", method));
            EXPECT_TRUE(paths.contains(std::string(path)) && paths[std::string(path)].contains(method))
                << endpoint->method << " " << path;
        }
    }
    for (const auto& [path, operations] : paths.items())
        for (const auto& [method, operation] : operations.items()) EXPECT_TRUE(known.contains(path + " " + method));
    EXPECT_EQ(all_route_docs().size(), all_endpoints().size());
}

TEST_F(OpenApi, every_example_answers_as_it_says) {
    for (const RouteDoc& route : all_route_docs()) {
        const Response response = ask(route);
        EXPECT_EQ(response.status, route.answer_status) << route.path << " " << response.body;
        if (route.answer_type.find('/') != std::string_view::npos) {
            EXPECT_TRUE(response.content_type.starts_with(route.answer_type)) << route.path;
            continue;
        }
        const Json body = Json::parse(response.body, nullptr, false);
        EXPECT_EQ(std::string_view(body.type_name()), route.answer_type) << route.path << " " << response.body;
        for (const std::string_view member : split(route.answer_members, ' ')) {
            if (member.empty()) continue;
            EXPECT_TRUE(body.contains(std::string(member))) << route.path << ": " << member;
        }
    }
}

TEST_F(OpenApi, no_field_is_read_that_it_does_not_name) {
    Fields::observe([](const char* name, const char*) { fields_seen().insert(name); });
    // Names inside of messages, tools and the like, which have schemas of their own.
    const std::set<std::string> inner = {"include_usage", "role", "type", "format", "effort"};
    for (const RouteDoc& route : all_route_docs()) {
        fields_seen().clear();
        ask(route);
        const Json properties = properties_of(route);
        // Ollama's and Anthropic's requests become chat requests, whose fields they do not have.
        const bool translated = route.path.starts_with("/api/") || route.path.starts_with("/v1/messages") ||
                                route.path.starts_with("/v1/responses");
        for (const std::string& name : fields_seen())
            EXPECT_TRUE(translated || properties.contains(name) || inner.contains(name)) << route.path << ": " << name;
    }
}

TEST_F(OpenApi, a_field_of_another_type_than_it_says_is_refused) {
    for (const RouteDoc& route : all_route_docs()) {
        if (route.example.empty()) continue;
        const Json properties = properties_of(route);
        for (const auto& [name, schema] : properties.items()) {
            const Json types = schema.value("type", Json::array());
            // What is never read, or means something only beside other fields, is told nothing about here.
            if (types != Json::array({"boolean", "null"}) && types != Json::array({"integer", "null"})) continue;
            Json body = Json::parse(route.example);
            body[name] = "text";
            const Response response = post(std::string(route.path), body);
            static const std::set<std::string> unread = {"dimensions", "return_documents", "return_text", "top_n", "budget_tokens"};
            if (unread.contains(name) || route.answer_status != 200) continue;
            if (route.path.ends_with("input_tokens") || route.path == "/apply-template" ||
                route.path.ends_with("count_tokens"))
                continue;  // they read what makes the prompt only
            EXPECT_EQ(response.status, 400) << route.path << ": " << name << " " << response.body;
        }
    }
}

}  // namespace ingle::server
