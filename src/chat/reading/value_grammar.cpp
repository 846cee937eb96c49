#include "chat/reading/value_grammar.h"

#include <algorithm>

#include "chat/reading/tools.h"

namespace ingle::chat {

namespace {

constexpr int depth_max = 32;

const Json* member(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
}

// Fails on the first keyword that is not among `known` and says something about values.
Status check_keywords(const Json& schema, std::initializer_list<std::string_view> known) {
    static constexpr std::string_view notes[] = {"title", "description", "default", "examples", "example", "$schema",
                                                 "$id", "$comment", "$defs", "definitions", "deprecated",
                                                 "additionalProperties", "nullable"};
    for (const auto& [key, value] : schema.items()) {
        const auto is_key = [&key = key](std::string_view one) { return one == key; };
        if (std::none_of(std::begin(notes), std::end(notes), is_key) &&
            std::none_of(known.begin(), known.end(), is_key))
            return fail(Code::unsupported, "a model of this chat template cannot be held to the keyword ",
                        quoted(key));
    }
    return {};
}

// The strings that an enum or a const allows; nothing if any is.
std::vector<std::string> choices_of(const Json& schema) {
    std::vector<std::string> all;
    if (const Json* value = member(schema, "const"); value && value->is_string())
        all.push_back(value->get<std::string>());
    if (const Json* values = member(schema, "enum"); values && values->is_array())
        for (const Json& value : *values)
            if (value.is_string()) all.push_back(value.get<std::string>());
    return all;
}

// Values of a notation.
class ValueGrammar {
  public:
    ValueGrammar(GbnfText& text, const Notation& notation) : text_(text), notation_(notation) {}

    Result<std::string> object(const Json& schema, int depth) {
        INGLE_ASSIGN(const auto members, plain_members(schema));
        const bool keywords = notation_.keyword_arguments && depth == 0;
        const std::string between = notation_.keyword_arguments ? "\", \" " : "\",\" ";
        std::string out = keywords ? "\"(\" " : "\"{\" ";
        // Optional members need a rule each for what may follow, since a comma stands between any two.
        std::string tail = "\"\"", tail_first = "\"\"";
        for (size_t i = members.size(); i-- > 0;) {
            INGLE_ASSIGN(const std::string value_text, value(members[i].schema, depth + 1));
            const std::string key = keywords || !notation_.keyword_arguments
                                        ? text_.literal(cat(members[i].name, keywords ? "=" : ":"))
                                        : text_.literal(json_quoted(members[i].name) + ": ");
            const std::string one = cat(key, " ", value_text, " ", tail);
            const std::string behind = cat(between, one);
            const bool required = members[i].required;
            tail_first = text_.rule("first", required ? one : cat(one, " | ", tail_first));
            tail = text_.rule("more", required ? behind : cat(behind, " | ", tail));
        }
        return cat(out, tail_first, keywords ? " \")\"" : " \"}\"");
    }

  private:
    Result<std::string> value(const Json& schema, int depth) {
        if (depth > depth_max) return fail(Code::limit, "a schema nested more than ", depth_max, " levels deep");
        if (!schema.is_object()) return fail(Code::unsupported, "a schema that is no object");
        if (kind_of_schema(schema) == ValueKind::text) return string(schema);
        const Json* type = member(schema, "type");
        if (type == nullptr || !type->is_string())
            return fail(Code::unsupported, "a model of this chat template needs one type for each value");
        if (*type == "object") return object(schema, depth);
        if (*type == "array") return array(schema, depth);
        if (*type == "boolean") {
            INGLE_TRY(check_keywords(schema, {"type"}));
            return std::string(notation_.keyword_arguments ? "(\"True\" | \"False\")" : "(\"true\" | \"false\")");
        }
        if (*type == "null") return std::string(notation_.keyword_arguments ? "\"None\"" : "\"null\"");
        return text_.schema(schema);
    }

    Result<std::string> string(const Json& schema) {
        INGLE_TRY(check_keywords(schema, {"type", "enum", "const"}));
        const std::vector<std::string> choices = choices_of(schema);
        if (notation_.string_mark.empty()) return text_.schema(schema);
        const std::string mark = text_.mark(notation_.string_mark);
        if (choices.empty()) return cat(mark, " ", text_.text_without(notation_.string_mark), " ", mark);
        std::vector<std::string> all;
        for (const std::string& choice : choices) all.push_back(text_.literal(choice));
        return cat(mark, " ", text_.either(all), " ", mark);
    }

    Result<std::string> array(const Json& schema, int depth) {
        INGLE_TRY(check_keywords(schema, {"type", "items"}));
        const Json* items = member(schema, "items");
        if (items == nullptr) return fail(Code::unsupported, "an array without \"items\"");
        INGLE_ASSIGN(const std::string item, value(*items, depth + 1));
        const std::string name = text_.rule("item", item);
        const std::string between = notation_.keyword_arguments ? "\", \" " : "\",\" ";
        return cat("\"[\" (", name, " (", between, name, ")*)? \"]\"");
    }

    GbnfText& text_;
    const Notation& notation_;
};

}  // namespace

Result<std::vector<Member>> plain_members(const Json& schema) {
    INGLE_TRY(check_keywords(schema, {"type", "properties", "required"}));
    std::vector<Member> members;
    const Json* properties = member(schema, "properties");
    const Json* required = member(schema, "required");
    if (properties == nullptr || !properties->is_object()) return members;
    for (const auto& [name, one] : properties->items()) {
        if (!one.is_object()) return fail(Code::unsupported, "the schema of ", quoted(name), " is no object");
        const bool needed = required && required->is_array() &&
                            std::find(required->begin(), required->end(), Json(name)) != required->end();
        members.push_back({.name = name, .schema = one, .required = needed});
        // References point into the whole schema.
        for (const char* key : {"$defs", "definitions"})
            if (const Json* definitions = member(schema, key)) members.back().schema[key] = *definitions;
    }
    return members;
}

Result<std::string> text_value(GbnfText& text, const Json& schema, std::string_view close) {
    const ValueKind kind = kind_of_schema(schema);
    if (kind == ValueKind::json) return text.schema(schema);
    if (kind == ValueKind::unknown) return text.text_without(close);
    INGLE_TRY(check_keywords(schema, {"type", "enum", "const"}));
    const std::vector<std::string> choices = choices_of(schema);
    if (choices.empty()) return text.text_without(close);
    std::vector<std::string> all;
    for (const std::string& choice : choices) all.push_back(text.literal(choice));
    return text.either(all);
}

Result<std::string> object_in_notation(GbnfText& text, const Json& schema, const Notation& notation) {
    return ValueGrammar(text, notation).object(schema, 0);
}

}  // namespace ingle::chat
