#include "server/sampling_fields.h"

#include <cmath>
#include <limits>

#include "sampling/logit_bias.h"
#include "sampling/options.h"

namespace ingle::server {

namespace {

Status wrong(const std::string& name, const char* expected, const Json& found) {
    return fail(Code::invalid_argument, "'", name, "': expected ", expected, ", found ",
                quoted(dump(found), 60));
}

Result<double> bias_of(const Json& value) {
    if (value.is_boolean() && !value.get<bool>()) return -std::numeric_limits<double>::infinity();
    if (value.is_number()) return value.get<double>();
    return wrong("logit_bias", "a number or false", value);
}

// A token by its id (also written as text, as keys of objects are), or all tokens of a text.
Result<std::vector<Token>> biased_tokens(const Json& key, bool ids_as_text, const Tokenizer& tokenizer) {
    std::optional<int64_t> id = whole(key);
    if (!id && key.is_string() && ids_as_text) id = parse_int(key.get<std::string>());
    if (id) {
        if (*id < 0 || *id >= tokenizer.size())
            return fail(Code::invalid_argument, "'logit_bias': expected a token id from 0 to ",
                        tokenizer.size() - 1, ", found ", *id);
        return std::vector{Token(*id)};
    }
    if (!key.is_string()) return wrong("logit_bias", "a token id or a text", key);
    return tokenizer.encode(key.get<std::string>(), {.add_special = false, .parse_special = true});
}

Status take_bias(const Json& field, const Tokenizer& tokenizer, OptionValues& values) {
    std::vector<std::string> texts = values.list("logit_bias");
    const auto add = [&](const Json& key, const Json& value, bool ids_as_text) -> Status {
        INGLE_ASSIGN(const double bias, bias_of(value));
        INGLE_ASSIGN(const auto tokens, biased_tokens(key, ids_as_text, tokenizer));
        for (const Token token : tokens) texts.push_back(sampling::logit_bias_text({token, bias}));
        return {};
    };
    if (field.is_object()) {
        for (const auto& [key, value] : field.items()) INGLE_TRY(add(Json(key), value, true));
    } else if (field.is_array()) {
        for (const Json& pair : field) {
            if (!pair.is_array() || pair.size() != 2)
                return wrong("logit_bias", "pairs of a token and a bias", pair);
            INGLE_TRY(add(pair[0], pair[1], false));
        }
    } else {
        return wrong("logit_bias", "an object or a list", field);
    }
    return values.set("logit_bias", std::move(texts));
}

Status take_list(const std::string& name, const Json& field, OptionValues& values) {
    // llama.cpp's short form of the order of samplers.
    if (name == "samplers" && field.is_string())
        return values.set("sampler_seq", field.get<std::string>());
    if (!field.is_array()) return wrong(name, "a list of texts", field);
    std::vector<std::string> texts;
    for (const Json& entry : field) {
        if (!entry.is_string()) return wrong(name, "a list of texts", field);
        texts.push_back(entry.get<std::string>());
    }
    return values.set(name, std::move(texts));
}

Status take_field(const Option& option, const Json& field, OptionValues& values) {
    if (std::holds_alternative<std::vector<std::string>>(option.default_value))
        return take_list(option.name, field, values);
    if (std::holds_alternative<bool>(option.default_value)) {
        if (!field.is_boolean()) return wrong(option.name, "true or false", field);
        return values.set(option.name, field.get<bool>());
    }
    if (std::holds_alternative<std::string>(option.default_value)) {
        if (!field.is_string()) return wrong(option.name, "a text", field);
        return values.set(option.name, field.get<std::string>());
    }
    if (std::holds_alternative<int64_t>(option.default_value)) {
        const auto value = whole(field);
        if (!value) return wrong(option.name, "a whole number", field);
        return values.set(option.name, *value);
    }
    if (!field.is_number()) return wrong(option.name, "a number", field);
    const double value = field.get<double>();
    if (!std::isfinite(value)) return wrong(option.name, "a finite number", field);
    return values.set(option.name, value);
}

}  // namespace

Status take_sampling(const Json& request, const Tokenizer& tokenizer, OptionValues& values) {
    const std::vector<Option> options = values.options();
    for (const Option& option : options) {
        const Json* const field = member(request, option.name);
        if (field == nullptr) continue;
        if (option.name == "logit_bias") INGLE_TRY(take_bias(*field, tokenizer, values));
        else INGLE_TRY(take_field(option, *field, values));
    }
    INGLE_TRY(sampling::check_request(values));
    return sampling::sampler_order(values).status();
}

Json sampling_json(const OptionValues& values) {
    Json json = Json::object();
    for (const Option& option : values.options()) {
        if (std::holds_alternative<bool>(option.default_value))
            json[option.name] = values.flag(option.name);
        else if (std::holds_alternative<int64_t>(option.default_value))
            json[option.name] = values.integer(option.name);
        else if (std::holds_alternative<double>(option.default_value))
            json[option.name] = values.real(option.name);
        else if (std::holds_alternative<std::string>(option.default_value))
            json[option.name] = values.text(option.name);
        else
            json[option.name] = values.list(option.name);
    }
    Json biases = Json::array();
    for (const std::string& text : values.list("logit_bias"))
        if (const auto bias = sampling::parse_logit_bias(text); bias.ok())
            biases.push_back({{"token", bias->token},
                              {"bias", std::isfinite(bias->bias) ? Json(bias->bias) : Json(nullptr)}});
    json["logit_bias"] = std::move(biases);
    return json;
}

}  // namespace ingle::server
