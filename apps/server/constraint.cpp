#include "server/constraint.h"

#include "engine/grammar_mask.h"

namespace ingle::server {

namespace {

using grammar::Grammar;
using Made = Result<std::shared_ptr<Grammar>>;

Made of_schema(const Json& schema, const char* field) {
    if (!schema.is_object() && !schema.is_boolean())
        return fail(Code::invalid_argument, "'", field, "': expected a JSON Schema, found ",
                    quoted(dump(schema), 60));
    auto made = Grammar::from_json_schema(dump(schema));
    if (!made.ok()) return fail(Code::invalid_argument, field, ": ", made.status().message());
    return made;
}

Made of_response_format(const Json& format) {
    const Json* const type = member(format, "type");
    if (!format.is_object() || (type != nullptr && !type->is_string()))
        return fail(Code::invalid_argument, "'response_format': expected an object with 'type', found ",
                    quoted(dump(format), 60));
    const std::string name = type == nullptr ? "text" : type->get<std::string>();
    if (name == "text") return std::shared_ptr<Grammar>();
    // llama-server takes the schema beside the type, OpenAI one level below.
    const Json* schema = member(format, "schema");
    if (name == "json_schema" && schema == nullptr) {
        const Json* const named = member(format, "json_schema");
        schema = named == nullptr ? nullptr : member(*named, "schema");
        if (schema == nullptr)
            return fail(Code::invalid_argument, "'response_format': json_schema needs 'json_schema.schema'");
    }
    if (name == "json_object" || name == "json_schema") {
        if (schema == nullptr) return of_schema(Json{{"type", "object"}}, "response_format");
        return of_schema(*schema, "response_format");
    }
    return fail(Code::invalid_argument,
                "'response_format.type': expected text, json_object or json_schema, found ", quoted(name));
}

Made of_texts(const Json& request, const Tokenizer& tokenizer, const char* field) {
    const Json& given = request[field];
    if (std::string_view(field) == "choice") {
        Fields fields(request);
        const auto choices = fields.texts(field);
        INGLE_TRY(fields.status());
        return Grammar::from_choices(choices);
    }
    if (!given.is_string())
        return fail(Code::invalid_argument, "'", field, "': expected a text, found ", quoted(dump(given), 60));
    auto made = std::string_view(field) == "regex"
                    ? Grammar::from_regex(given.get<std::string>())
                    : Grammar::from_gbnf(given.get<std::string>(), token_names_of(tokenizer));
    // A grammar that cannot be had is the request's fault, whatever the reason.
    if (!made.ok()) return fail(Code::invalid_argument, field, ": ", made.status().message());
    return made;
}

}  // namespace

Made constraint_of(const Json& request, const Tokenizer& tokenizer) {
    std::string given;
    std::shared_ptr<Grammar> found;
    for (const char* const field : {"grammar", "json_schema", "regex", "choice", "response_format"}) {
        const Json* const value = member(request, field);
        if (value == nullptr || (value->is_string() && value->get_ref<const std::string&>().empty())) continue;
        Made made = std::string_view(field) == "json_schema"       ? of_schema(*value, field)
                    : std::string_view(field) == "response_format" ? of_response_format(*value)
                                                                   : of_texts(request, tokenizer, field);
        if (!made.ok()) return made;
        if (*made == nullptr) continue;
        if (found)
            return fail(Code::invalid_argument, "'", field, "': '", given, "' says already what the answer looks like");
        found = std::move(*made);
        given = field;
    }
    return found;
}

}  // namespace ingle::server
