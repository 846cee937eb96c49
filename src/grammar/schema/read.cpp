#include "grammar/schema/read.h"

#include <algorithm>

#include "grammar/schema/reader.h"

namespace ingle::grammar {

using Says = FormulaNode::Kind;

Result<Formula> read_schema(NormalForms& forms, const Json& root) {
    INGLE_ASSIGN(References references, References::make(root));
    return SchemaReader(forms, std::move(references)).read_all(root);
}

Result<Formula> SchemaReader::read_all(const Json& root) {
    const Formula all = refer({&root, ""});
    while (!waiting_.empty()) {
        const References::Place next = waiting_.front();
        waiting_.pop_front();
        INGLE_ASSIGN(const Formula formula, read(*next.schema, next.pointer));
        formulas_.set_target(targets_[next.pointer], formula);
        if (formulas_.size() > NormalForms::formulas_max)
            return fail(Code::limit, "schema: more than ", NormalForms::formulas_max, " parts");
    }
    return all;
}

Formula SchemaReader::refer(const References::Place& place) {
    const auto [known, added] = targets_.try_emplace(place.pointer, 0);
    if (added) {
        known->second = formulas_.add_target();
        waiting_.push_back(place);
    }
    return formulas_.reference(known->second);
}

Result<Formula> SchemaReader::read(const Json& schema, const std::string& pointer) {
    if (schema.is(Json::Type::boolean)) return schema.boolean ? always : never;
    if (!schema.is(Json::Type::object))
        return wrong(pointer, "expected a schema (an object or a boolean), found ", name_of(schema.type));
    Parts parts;
    if (const Json* const ref = schema.find("$ref")) {
        const std::string here = pointer_to(pointer, "$ref");
        if (!ref->is(Json::Type::string))
            return wrong(here, "expected a string, found ", name_of(ref->type));
        auto place = references_.resolve(schema, ref->text);
        if (!place.ok()) return std::move(place).status().in("schema, " + here);
        parts.push_back(refer(*place));
        // Up to draft 7 its neighbours mean nothing.
        if (references_.draft() <= Draft::draft7) return parts[0];
    }
    INGLE_TRY(refuse_others(schema, pointer));
    struct Group {
        Status (SchemaReader::*read)(const Json&, const std::string&, Parts&);
        std::vector<std::string_view> keywords;  // which to name when something is wrong later
    };
    static const Group groups[] = {
        {&SchemaReader::read_logic, {"oneOf", "anyOf", "not", "allOf", "enum", "const", "type"}},
        {&SchemaReader::read_condition, {"if"}},
        {&SchemaReader::read_numbers,
         {"multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}},
        {&SchemaReader::read_text, {"pattern", "format", "minLength", "maxLength"}},
        {&SchemaReader::read_members,
         {"patternProperties", "propertyNames", "additionalProperties", "required", "properties",
          "minProperties", "maxProperties"}},
        {&SchemaReader::read_dependencies, {"dependencies", "dependentRequired", "dependentSchemas"}},
        {&SchemaReader::read_items, {"contains", "items", "prefixItems", "minItems", "maxItems"}},
    };
    for (const Group& group : groups) {
        const size_t before = parts.size();
        INGLE_TRY((this->*group.read)(schema, pointer, parts));
        const auto named = std::find_if(group.keywords.begin(), group.keywords.end(), [&](std::string_view word) {
            return schema.find(word) != nullptr;
        });
        if (named == group.keywords.end()) continue;
        for (size_t i = before; i < parts.size(); ++i) forms_.note(parts[i], pointer_to(pointer, *named));
    }
    return formulas_.all_of(std::move(parts));
}

Status SchemaReader::refuse_others(const Json& schema, const std::string& pointer) {
    for (const std::string_view keyword : {"$dynamicRef", "$recursiveRef", "extends", "disallow", "divisibleBy"})
        if (schema.find(keyword) != nullptr)
            return unsupported(pointer_to(pointer, keyword), "this keyword is not supported");
    for (const std::string_view keyword : {"unevaluatedProperties", "unevaluatedItems"}) {
        const Json* const value = schema.find(keyword);
        const bool says_nothing = value == nullptr || (value->is(Json::Type::boolean) && value->boolean) ||
                                  (value->is(Json::Type::object) && value->members.empty());
        if (!says_nothing)
            return unsupported(pointer_to(pointer, keyword), "this keyword is not supported");
    }
    return {};
}

Result<Formula> SchemaReader::type_named(const std::string& name, const std::string& pointer) {
    constexpr std::pair<std::string_view, uint32_t> names[] = {
        {"null", null_type}, {"boolean", boolean_type}, {"number", number_type},
        {"string", string_type}, {"array", array_type}, {"object", object_type}};
    for (const auto& [known, bits] : names)
        if (name == known) return formulas_.types(bits);
    if (name == "any" && references_.draft() == Draft::draft4) return always;
    if (name != "integer")
        return wrong(pointer, "expected one of null, boolean, integer, number, string, array, object, found ",
                     quoted(name));
    const Expr whole = forms_.expressions().number({.kind = NumberTest::Kind::multiple});
    return formulas_.all_of({formulas_.types(number_type), formulas_.atom({.kind = Says::number, .a = whole})});
}

Result<SchemaReader::Parts> SchemaReader::list_of(const Json& list, const std::string& pointer) {
    if (!list.is(Json::Type::array) || list.items.empty())
        return wrong(pointer, "expected a list of schemas, found ",
                     list.is(Json::Type::array) ? "an empty one" : name_of(list.type));
    Parts out;
    for (size_t i = 0; i < list.items.size(); ++i) {
        INGLE_ASSIGN(const Formula one, read(list.items[i], pointer_to(pointer, std::to_string(i))));
        out.push_back(one);
    }
    return out;
}

Status SchemaReader::read_logic(const Json& schema, const std::string& pointer, Parts& out) {
    if (const Json* const type = schema.find("type")) {
        const std::string here = pointer_to(pointer, "type");
        Parts names;
        if (type->is(Json::Type::string)) {
            INGLE_ASSIGN(const Formula one, type_named(type->text, here));
            names.push_back(one);
        } else if (type->is(Json::Type::array)) {
            for (const Json& item : type->items) {
                if (!item.is(Json::Type::string)) return wrong(here, "expected names of types");
                INGLE_ASSIGN(const Formula one, type_named(item.text, here));
                names.push_back(one);
            }
        } else {
            return wrong(here, "expected a string or a list of strings, found ", name_of(type->type));
        }
        out.push_back(formulas_.any_of(std::move(names)));
    }
    if (const Json* const value = schema.find("const")) {
        INGLE_ASSIGN(const Formula one, formula_of_value(forms_, *value));
        out.push_back(one);
    }
    if (const Json* const values = schema.find("enum")) {
        const std::string here = pointer_to(pointer, "enum");
        if (!values->is(Json::Type::array))
            return wrong(here, "expected a list, found ", name_of(values->type));
        Parts all;
        std::vector<Expr> texts;
        for (const Json& value : values->items) {
            if (value.is(Json::Type::string)) {
                texts.push_back(forms_.expressions().literal(value.text));
                continue;
            }
            INGLE_ASSIGN(const Formula one, formula_of_value(forms_, value));
            all.push_back(one);
        }
        if (!texts.empty())
            all.push_back(formulas_.all_of(
                {formulas_.types(string_type),
                 formulas_.atom({.kind = Says::text, .a = forms_.expressions().either(std::move(texts))})}));
        out.push_back(formulas_.any_of(std::move(all)));
    }
    for (const std::string_view keyword : {"allOf", "anyOf", "oneOf"}) {
        const Json* const list = schema.find(keyword);
        if (list == nullptr) continue;
        INGLE_ASSIGN(Parts parts, list_of(*list, pointer_to(pointer, keyword)));
        if (keyword == "allOf") out.push_back(formulas_.all_of(std::move(parts)));
        else if (keyword == "anyOf") out.push_back(formulas_.any_of(std::move(parts)));
        else if (parts.size() == 1) out.push_back(parts[0]);
        else out.push_back(formulas_.atom({.kind = Says::one_of, .parts = std::move(parts)}));
    }
    if (const Json* const opposite = schema.find("not")) {
        INGLE_ASSIGN(const Formula one, read(*opposite, pointer_to(pointer, "not")));
        out.push_back(formulas_.negation(one));
    }
    return {};
}

Status SchemaReader::read_condition(const Json& schema, const std::string& pointer, Parts& out) {
    const Json* const condition = schema.find("if");
    if (condition == nullptr || references_.draft() < Draft::draft7) return {};
    INGLE_ASSIGN(const Formula holds, read(*condition, pointer_to(pointer, "if")));
    Formula then = always, otherwise = always;
    if (const Json* const part = schema.find("then")) {
        INGLE_ASSIGN(then, read(*part, pointer_to(pointer, "then")));
    }
    if (const Json* const part = schema.find("else")) {
        INGLE_ASSIGN(otherwise, read(*part, pointer_to(pointer, "else")));
    }
    if (then == always && otherwise == always) return {};
    out.push_back(formulas_.any_of({formulas_.all_of({holds, then}),
                                    formulas_.all_of({formulas_.negation(holds), otherwise})}));
    return {};
}

}  // namespace ingle::grammar
