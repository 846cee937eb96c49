// The OpenAPI description of this server. Sampling fields come from the schema by which requests are read; the other
// fields, and an example for each operation, stand in routes.cpp. A test sends every example and holds the server to
// what is said of it.
#pragma once

#include <span>
#include <string_view>

#include "server/json.h"

namespace ingle::server {

struct FieldDoc {
    std::string_view name;
    std::string_view type;  // of JSON Schema, several separated by '|'; empty: anything
    std::string_view help;
};

// Fields that several operations share.
struct FieldGroup {
    std::span<const FieldDoc> fields;
    bool sampling = false;  // and those of the sampling schema
};

struct RouteDoc {
    std::string_view method;
    std::string_view path;  // the first of its endpoint
    std::string_view summary;
    std::span<const FieldGroup* const> groups;  // of the body
    std::string_view required;                  // fields of the body, separated by spaces
    std::string_view example;                   // a body; empty: none is sent
    std::string_view answer_type;               // of the example's answer: "object", "array" or a media type
    std::string_view answer_members;            // that it certainly has, separated by spaces
    std::string_view query;                     // parameters, separated by spaces
    int answer_status = 200;
};

std::span<const RouteDoc> all_route_docs();
// Null if there is none.
const RouteDoc* find_route_doc(std::string_view method, std::string_view path);

// OpenAPI 3.1.
const Json& openapi_document();

}  // namespace ingle::server
