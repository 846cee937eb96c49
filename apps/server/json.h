// JSON of requests: read with a limit on depth, its fields checked by type; and written so that no bytes can
// make it fail.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "chat/template.h"
#include "server/endpoint.h"

// Made once, in json.cpp: files that use JSON compile faster.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace ingle::server {

using Json = chat::Json;

// Broken UTF-8 becomes U+FFFD.
std::string dump(const Json& json);
Response json_response(const Json& json, int status = 200);

// An object; an empty body is an empty object.
Result<Json> parse_object(std::string_view body);

// Null if the member is missing or null.
const Json* member(const Json& object, std::string_view name);

// Reads fields of an object. A missing field or null is the fallback; the first one of a wrong type is
// remembered in status().
class Fields {
  public:
    explicit Fields(const Json& object) : object_(object) {}

    bool flag(const char* name, bool fallback = false);
    int64_t integer(const char* name, int64_t fallback);
    double real(const char* name, double fallback);
    std::string text(const char* name, std::string fallback = {});
    // A text or a list of texts.
    std::vector<std::string> texts(const char* name);
    // Null if missing.
    const Json* object(const char* name);
    const Json* array(const char* name);
    void require(const char* name);
    void wrong(std::string message);

    const Status& status() const { return status_; }

    // For tests: is told of every field that is looked at, with the type that is expected.
    using Observer = void (*)(const char* name, const char* expected);
    static void observe(Observer observer);

  private:
    const Json* typed(const char* name, bool (*matches)(const Json&), const char* expected);

    const Json& object_;
    Status status_;
};

// A number of JSON that is whole, also if written as 3.0.
std::optional<int64_t> whole(const Json& json);

}  // namespace ingle::server
