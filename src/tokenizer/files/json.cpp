#include "tokenizer/files/json.h"

namespace ingle::files {
namespace {

// Reads a text only to learn where it breaks.
class FaultFinder : public nlohmann::json_sax<Json> {
  public:
    size_t fault = 0;

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(size_t) override { return true; }
    bool key(string_t&) override { return true; }
    bool end_object() override { return true; }
    bool start_array(size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(size_t position, const std::string&,
                     const nlohmann::detail::exception&) override {
        fault = position;
        return false;
    }
};

constexpr int depth_max = 64;

// The first byte that opens a list or object inside `depth_max` others; the size of the text if
// none does.
size_t find_too_deep(std::string_view text) {
    int depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            in_string = c != '"';
            continue;
        }
        in_string = c == '"';
        if (c == '[' || c == '{') ++depth;
        if (c == ']' || c == '}') --depth;
        if (depth > depth_max) return i;
    }
    return text.size();
}

}  // namespace

Result<Json> parse_json(std::string_view text, std::string_view what) {
    if (const size_t deep = find_too_deep(text); deep != text.size())
        return fail(Code::limit, what, ": more than ", depth_max, " levels of nesting at byte ",
                    deep);
    Json json = Json::parse(text, nullptr, false);
    if (!json.is_discarded()) return json;
    FaultFinder finder;
    Json::sax_parse(text, &finder);
    return fail(Code::corrupt, what, ": expected JSON, which ends at byte ", finder.fault, " of ",
                text.size());
}

const Json& member(const Json& json, const char* key) {
    static const Json null;
    if (!json.is_object()) return null;
    const auto found = json.find(key);
    return found != json.end() ? *found : null;
}

std::string_view text_member(const Json& json, const char* key) {
    const Json& value = member(json, key);
    return value.is_string() ? std::string_view(value.get_ref<const std::string&>())
                             : std::string_view();
}

bool flag_member(const Json& json, const char* key, bool fallback) {
    const Json& value = member(json, key);
    return value.is_boolean() ? value.get<bool>() : fallback;
}

int64_t id_of(const Json& json) {
    if (!json.is_number_integer()) return -1;
    // Numbers beyond int64 come out negative.
    return json.get<int64_t>();
}

std::string shown(const Json& json) {
    return quoted(json.dump(-1, ' ', false, Json::error_handler_t::replace), 400);
}

}  // namespace ingle::files
