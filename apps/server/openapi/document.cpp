#include "server/openapi/document.h"

#include <algorithm>
#include <cmath>

#include "base/version.h"
#include "sampling/options.h"

namespace ingle::server {

namespace {

Json type_json(std::string_view types) {
    if (types.empty()) return Json::object();
    const auto words = split(types, '|');
    if (words.size() == 1) return {{"type", words[0]}};
    Json list = Json::array();
    for (const std::string_view word : words) list.push_back(word);
    return {{"type", std::move(list)}};
}

// Null is the same as a missing field.
Json with_null(Json schema) {
    if (!schema.contains("type")) return schema;
    if (schema["type"].is_string()) schema["type"] = Json::array({schema["type"]});
    schema["type"].push_back("null");
    return schema;
}

// A setting of sampling, as its declaration says.
Json sampling_schema(const Option& option) {
    Json schema = Json::object();
    if (std::holds_alternative<bool>(option.default_value)) schema = {{"type", "boolean"}};
    else if (std::holds_alternative<int64_t>(option.default_value)) schema = {{"type", "integer"}};
    else if (std::holds_alternative<double>(option.default_value)) schema = {{"type", "number"}};
    else return {{"description", option.help}};  // texts and lists, in several forms
    if (std::isfinite(option.min)) schema["minimum"] = option.min;
    if (std::isfinite(option.max)) schema["maximum"] = option.max;
    schema = with_null(std::move(schema));
    schema["description"] = option.help;
    return schema;
}

void add_fields(Json& properties, const FieldGroup& group) {
    for (const FieldDoc& field : group.fields) {
        properties[std::string(field.name)] = with_null(type_json(field.type));
        properties[std::string(field.name)]["description"] = field.help;
    }
    if (!group.sampling) return;
    for (const Option& option : sampling::sampling_options())
        if (!properties.contains(option.name)) properties[option.name] = sampling_schema(option);
}

Json words_json(std::string_view words) {
    Json list = Json::array();
    for (const std::string_view word : split(words, ' '))
        if (!word.empty()) list.push_back(word);
    return list;
}

Json body_json(const RouteDoc& route) {
    Json properties = Json::object();
    for (const FieldGroup* const group : route.groups) add_fields(properties, *group);
    Json schema = {{"type", "object"}, {"properties", std::move(properties)}};
    if (!route.required.empty()) schema["required"] = words_json(route.required);
    Json media = {{"schema", std::move(schema)}};
    if (!route.example.empty()) media["example"] = Json::parse(route.example, nullptr, false);
    return {{"required", !route.required.empty()}, {"content", {{"application/json", std::move(media)}}}};
}

Json answer_json(const RouteDoc& route) {
    if (route.answer_type.find('/') != std::string_view::npos)
        return {{"description", route.summary},
                {"content", {{std::string(route.answer_type), {{"schema", {{"type", "string"}}}}}}}};
    Json schema = {{"type", route.answer_type}};
    if (route.answer_status == 200 && !route.answer_members.empty()) schema["required"] = words_json(route.answer_members);
    Json content = {{"application/json", {{"schema", std::move(schema)}}}};
    // Streams and Prometheus' text have forms of their own.
    content["text/event-stream"] = {{"schema", {{"type", "string"}}}};
    if (route.path.starts_with("/api/")) content["application/x-ndjson"] = {{"schema", {{"type", "string"}}}};
    if (route.path == "/metrics") content = {{"text/plain", {{"schema", {{"type", "string"}}}}}};
    return {{"description", route.summary}, {"content", std::move(content)}};
}

Json parameters_json(const RouteDoc& route) {
    Json parameters = Json::array();
    const size_t brace = route.path.find('{');
    if (brace != std::string_view::npos)
        parameters.push_back({{"name", route.path.substr(brace + 1, route.path.size() - brace - 2)},
                              {"in", "path"}, {"required", true}, {"schema", {{"type", "string"}}}});
    for (const std::string_view word : split(route.query, ' '))
        if (!word.empty())
            parameters.push_back({{"name", word}, {"in", "query"}, {"schema", {{"type", "string"}}}});
    return parameters;
}

Json operation_json(const RouteDoc& route, const Endpoint& endpoint, std::string_view path) {
    Json operation = {{"summary", route.summary}};
    std::string id(cat(route.method, " ", path));
    for (char& c : id)
        if (std::string_view("/{}. ").find(c) != std::string_view::npos) c = '_';
    operation["operationId"] = id;
    if (Json parameters = parameters_json(route); !parameters.empty()) operation["parameters"] = std::move(parameters);
    if (!route.groups.empty()) operation["requestBody"] = body_json(route);
    Json responses = {{"200", answer_json(route)}};
    const char* const kind = endpoint.dialect == Dialect::ollama      ? "ErrorOfOllama"
                             : endpoint.dialect == Dialect::anthropic ? "ErrorOfAnthropic"
                                                                      : "Error";
    for (const char* const status : {"400", "401", "403", "404", "429", "500", "501", "503"})
        responses[status] = {{"$ref", cat("#/components/responses/", kind)}};
    operation["responses"] = std::move(responses);
    if (endpoint.open) operation["security"] = Json::array({Json::object()});
    return operation;
}

Json error_response_json(const char* description, Json error) {
    Json schema = {{"type", "object"}, {"required", Json::array({"error"})},
                   {"properties", {{"error", std::move(error)}}}};
    return {{"description", description}, {"content", {{"application/json", {{"schema", std::move(schema)}}}}}};
}

Json components_json() {
    const Json openai = {{"type", "object"}, {"required", {"code", "message", "type"}},
                         {"properties", {{"message", {{"type", "string"}}}, {"type", {{"type", "string"}}}}}};
    const Json anthropic = {{"type", "object"}, {"required", {"type", "message"}}};
    return {{"securitySchemes",
             {{"bearer", {{"type", "http"}, {"scheme", "bearer"}}},
              {"key", {{"type", "apiKey"}, {"in", "header"}, {"name", "X-Api-Key"}}}}},
            {"responses",
             {{"Error", error_response_json("what is wrong, and what was expected", openai)},
              {"ErrorOfAnthropic", error_response_json("the same in Anthropic's form", anthropic)},
              {"ErrorOfOllama", error_response_json("the same in Ollama's form", {{"type", {"string", "object"}}})}}}};
}

Json make_document() {
    Json paths = Json::object();
    for (const Endpoint* const endpoint : all_endpoints()) {
        const auto names = split(endpoint->path, ' ');
        const RouteDoc* const route = find_route_doc(endpoint->method, names[0]);
        if (route == nullptr) continue;  // a test finds it
        std::string method(endpoint->method);
        for (char& c : method) c = char(c - 'A' + 'a');
        for (const std::string_view path : names) paths[std::string(path)][method] = operation_json(*route, *endpoint, path);
    }
    return {{"openapi", "3.1.0"},
            {"info",
             {{"title", "Ingle"},
              {"version", version_text},
              {"description", "Answers clients of OpenAI, Anthropic, Ollama and llama-server."}}},
            {"security", Json::array({{{"bearer", Json::array()}}, {{"key", Json::array()}}, Json::object()})},
            {"paths", std::move(paths)},
            {"components", components_json()}};
}

}  // namespace

const Json& openapi_document() {
    static const Json document = make_document();
    return document;
}

}  // namespace ingle::server
