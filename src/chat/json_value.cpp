#include "chat/json_value.h"

#include <algorithm>

#include "base/utf8.h"

namespace ingle::chat {

namespace {

using jinja::Value;

constexpr std::string_view roles[] = {
    "system", "user",  "assistant", "tool",     "developer", "function", "ipython",
    "model",  "human", "bot",       "document", "documents", "context",  "environment"};

Value text_value(const std::string& text, bool trusted) {
    std::string bytes = utf8::valid(text) ? text : utf8::replace_invalid(text);
    return std::make_shared<const jinja::Text>(std::move(bytes), !trusted);
}

bool is_usual_role(const std::string& key, const nlohmann::ordered_json& value) {
    if (key != "role" || !value.is_string()) return false;
    const auto& name = value.get_ref<const std::string&>();
    return std::find(std::begin(roles), std::end(roles), name) != std::end(roles);
}

class Converter {
  public:
    explicit Converter(int depth_max) : depth_max_(depth_max) {}

    Result<Value> value(const nlohmann::ordered_json& json, int depth) const {
        if (depth > depth_max_)
            return fail(Code::limit, "JSON nested more than ", depth_max_, " levels deep");
        if (json.is_object()) return object(json, depth);
        if (json.is_array()) return array(json, depth);
        if (json.is_string()) return text_value(json.get_ref<const std::string&>(), false);
        if (json.is_boolean()) return Value(json.get<bool>());
        if (json.is_number_unsigned()) {
            const uint64_t number = json.get<uint64_t>();
            return number <= uint64_t(INT64_MAX) ? Value(int64_t(number)) : Value(double(number));
        }
        if (json.is_number_integer()) return Value(json.get<int64_t>());
        if (json.is_number_float()) return Value(json.get<double>());
        return Value();
    }

  private:
    Result<Value> array(const nlohmann::ordered_json& json, int depth) const {
        auto sequence = std::make_shared<jinja::Sequence>();
        for (const auto& item : json) {
            INGLE_ASSIGN(Value made, value(item, depth + 1));
            sequence->depth = std::max(sequence->depth, depth_of(made) + 1);
            sequence->items.push_back(std::move(made));
        }
        return Value(jinja::SequencePtr(std::move(sequence)));
    }

    Result<Value> object(const nlohmann::ordered_json& json, int depth) const {
        auto dict = std::make_shared<jinja::Dict>();
        for (const auto& [key, item] : json.items()) {
            Value made;
            if (is_usual_role(key, item)) {
                made = text_value(item.get_ref<const std::string&>(), true);
            } else {
                INGLE_ASSIGN(made, value(item, depth + 1));
            }
            dict->depth = std::max(dict->depth, depth_of(made) + 1);
            dict->set(text_value(key, false), std::move(made));
        }
        return Value(jinja::DictPtr(std::move(dict)));
    }

    int depth_max_;
};

}  // namespace

Result<jinja::Value> value_from_json(const nlohmann::ordered_json& json, int depth_max) {
    return Converter(depth_max).value(json, 0);
}

}  // namespace ingle::chat
