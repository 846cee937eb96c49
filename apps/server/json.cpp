#include "server/json.h"

#include <atomic>
#include <cmath>

template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace ingle::server {

namespace {

constexpr int depth_max = 100;

// Brackets open at once, outside of strings.
int depth_of(std::string_view text) {
    int depth = 0, deepest = 0;
    bool in_string = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            else if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            deepest = std::max(deepest, ++depth);
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return deepest;
}

}  // namespace

std::string dump(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Response json_response(const Json& json, int status) {
    return {.status = status, .body = dump(json)};
}

Result<Json> parse_object(std::string_view body) {
    if (trim(body).empty()) return Json(Json::object());
    if (const int depth = depth_of(body); depth > depth_max)
        return fail(Code::invalid_argument, "the body is nested ", depth, " deep, at most ", depth_max,
                    " is read");
    Json parsed = Json::parse(body, nullptr, false);
    if (parsed.is_discarded())
        return fail(Code::invalid_argument, "the body is no JSON: ", quoted(body, 60));
    if (!parsed.is_object())
        return fail(Code::invalid_argument, "the body is ", parsed.type_name(), ", expected an object");
    return parsed;
}

const Json* member(const Json& object, std::string_view name) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(name);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::optional<int64_t> whole(const Json& json) {
    if (json.is_number_unsigned() && json.get<uint64_t>() > uint64_t(INT64_MAX)) return std::nullopt;
    if (json.is_number_integer()) return json.get<int64_t>();
    if (!json.is_number_float()) return std::nullopt;
    const double value = json.get<double>();
    if (std::floor(value) != value || std::abs(value) > 9e15) return std::nullopt;
    return int64_t(value);
}

void Fields::wrong(std::string message) {
    if (status_.ok()) status_ = Status(Code::invalid_argument, std::move(message));
}

namespace {

std::atomic<Fields::Observer> observer_of_fields = nullptr;

}  // namespace

void Fields::observe(Observer observer) { observer_of_fields = observer; }

const Json* Fields::typed(const char* name, bool (*matches)(const Json&), const char* expected) {
    if (const Observer observer = observer_of_fields) observer(name, expected);
    const Json* const found = member(object_, name);
    if (found == nullptr) return nullptr;
    if (matches(*found)) return found;
    wrong(cat("'", name, "': expected ", expected, ", found ", quoted(dump(*found), 60)));
    return nullptr;
}

void Fields::require(const char* name) {
    if (member(object_, name) == nullptr) wrong(cat("'", name, "' is required"));
}

bool Fields::flag(const char* name, bool fallback) {
    const Json* const found =
        typed(name, [](const Json& json) { return json.is_boolean(); }, "true or false");
    return found == nullptr ? fallback : found->get<bool>();
}

int64_t Fields::integer(const char* name, int64_t fallback) {
    const Json* const found =
        typed(name, [](const Json& json) { return whole(json).has_value(); }, "a whole number");
    return found == nullptr ? fallback : *whole(*found);
}

double Fields::real(const char* name, double fallback) {
    const Json* const found =
        typed(name, [](const Json& json) { return json.is_number(); }, "a number");
    return found == nullptr ? fallback : found->get<double>();
}

std::string Fields::text(const char* name, std::string fallback) {
    const Json* const found =
        typed(name, [](const Json& json) { return json.is_string(); }, "a text");
    return found == nullptr ? std::move(fallback) : found->get<std::string>();
}

std::vector<std::string> Fields::texts(const char* name) {
    const Json* const found = typed(
        name,
        [](const Json& json) {
            if (json.is_string()) return true;
            if (!json.is_array()) return false;
            for (const Json& entry : json)
                if (!entry.is_string()) return false;
            return true;
        },
        "a text or a list of texts");
    if (found == nullptr) return {};
    if (found->is_string()) return {found->get<std::string>()};
    return found->get<std::vector<std::string>>();
}

const Json* Fields::object(const char* name) {
    return typed(name, [](const Json& json) { return json.is_object(); }, "an object");
}

const Json* Fields::array(const char* name) {
    return typed(name, [](const Json& json) { return json.is_array(); }, "a list");
}

}  // namespace ingle::server
