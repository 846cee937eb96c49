// Keywords of objects and arrays.
#include "grammar/regex/parse.h"
#include "grammar/schema/reader.h"

namespace ingle::grammar {

using Says = FormulaNode::Kind;

uint32_t SchemaReader::name(const std::string& name) {
    return formulas_.name_set({.single = true, .name = name, .expression = forms_.expressions().literal(name)});
}

Formula SchemaReader::has_member(const std::string& member) {
    return formulas_.atom({.kind = Says::members_any, .a = name(member), .b = always});
}

Formula SchemaReader::lacks_member(const std::string& member) {
    return formulas_.atom({.kind = Says::members_all, .a = name(member), .b = never});
}

Result<uint32_t> SchemaReader::pattern_names(const std::string& pattern, const std::string& pointer) {
    auto text = parse_pattern(forms_.expressions(), pattern);
    if (!text.ok()) return std::move(text).status().in("schema, " + pointer);
    return formulas_.name_set({.expression = *text});
}

Status SchemaReader::read_members(const Json& schema, const std::string& pointer, Parts& out) {
    Expressions& e = forms_.expressions();
    const auto all_members = [&](uint32_t names, Formula value) {
        if (value != always)
            out.push_back(formulas_.atom({.kind = Says::members_all, .a = names, .b = value}));
    };
    std::vector<Expr> mentioned;
    for (const std::string_view keyword : {"properties", "patternProperties"}) {
        const Json* const members = schema.find(keyword);
        if (members == nullptr) continue;
        const std::string here = pointer_to(pointer, keyword);
        if (!members->is(Json::Type::object))
            return wrong(here, "expected an object, found ", name_of(members->type));
        for (const auto& [key, inner] : members->members) {
            const std::string there = pointer_to(here, key);
            INGLE_ASSIGN(const Formula value, read(inner, there));
            uint32_t names = 0;
            if (keyword == "properties") {
                names = name(key);
            } else {
                INGLE_ASSIGN(names, pattern_names(key, there));
            }
            mentioned.push_back(formulas_.names(names).expression);
            // Named although anything goes: additionalProperties does not speak of it.
            all_members(names, value);
        }
    }
    if (const Json* const others = schema.find("additionalProperties")) {
        INGLE_ASSIGN(const Formula value, read(*others, pointer_to(pointer, "additionalProperties")));
        const Expr names = mentioned.empty()
                               ? any_text(e)
                               : e.both({any_text(e), e.negation(e.either(std::move(mentioned)))});
        all_members(formulas_.name_set({.expression = names}), value);
    }
    if (const Json* const names = schema.find("propertyNames")) {
        INGLE_ASSIGN(const Formula good, read(*names, pointer_to(pointer, "propertyNames")));
        if (good != always) out.push_back(formulas_.atom({.kind = Says::names_all, .a = good}));
    }
    if (const Json* const required = schema.find("required");
        required != nullptr && !required->is(Json::Type::boolean)) {  // draft 3 had booleans
        const std::string here = pointer_to(pointer, "required");
        if (!required->is(Json::Type::array))
            return wrong(here, "expected a list of names, found ", name_of(required->type));
        for (const Json& item : required->items) {
            if (!item.is(Json::Type::string)) return wrong(here, "expected a list of names");
            out.push_back(has_member(item.text));
        }
    }
    INGLE_ASSIGN(const auto fewest, count_of(schema, "minProperties", pointer));
    INGLE_ASSIGN(const auto most, count_of(schema, "maxProperties", pointer));
    if (fewest && *fewest > 0) out.push_back(formulas_.atom({.kind = Says::members_min, .a = *fewest}));
    if (most) out.push_back(formulas_.atom({.kind = Says::members_max, .a = *most}));
    return {};
}

Status SchemaReader::read_dependencies(const Json& schema, const std::string& pointer, Parts& out) {
    for (const std::string_view keyword : {"dependencies", "dependentRequired", "dependentSchemas"}) {
        const Json* const dependencies = schema.find(keyword);
        if (dependencies == nullptr) continue;
        const std::string here = pointer_to(pointer, keyword);
        if (!dependencies->is(Json::Type::object))
            return wrong(here, "expected an object, found ", name_of(dependencies->type));
        for (const auto& [key, demand] : dependencies->members) {
            const std::string there = pointer_to(here, key);
            Formula demanded = always;
            if (demand.is(Json::Type::array) && keyword != "dependentSchemas") {
                Parts parts;
                for (const Json& item : demand.items) {
                    if (!item.is(Json::Type::string)) return wrong(there, "expected a list of names");
                    parts.push_back(has_member(item.text));
                }
                demanded = formulas_.all_of(std::move(parts));
            } else if (demand.is(Json::Type::string) && keyword == "dependencies") {
                demanded = has_member(demand.text);
            } else {
                INGLE_ASSIGN(demanded, read(demand, there));
            }
            if (demanded != always) out.push_back(formulas_.any_of({lacks_member(key), demanded}));
        }
    }
    return {};
}

Status SchemaReader::read_items(const Json& schema, const std::string& pointer, Parts& out) {
    uint32_t listed = 0;
    const auto add_rest = [&](const Json& rest, const std::string& here) -> Status {
        INGLE_ASSIGN(const Formula value, read(rest, here));
        if (value != always)
            out.push_back(formulas_.atom(
                {.kind = Says::items_all, .a = value, .from = listed, .to = unlimited}));
        return {};
    };
    const Json* const items = schema.find("items");
    const bool old_list = items != nullptr && items->is(Json::Type::array);
    const Json* const list = old_list ? items : schema.find("prefixItems");
    if (list != nullptr) {
        const std::string here = pointer_to(pointer, old_list ? "items" : "prefixItems");
        if (!list->is(Json::Type::array))
            return wrong(here, "expected a list of schemas, found ", name_of(list->type));
        for (; listed < list->items.size(); ++listed) {
            INGLE_ASSIGN(const Formula value,
                         read(list->items[listed], pointer_to(here, std::to_string(listed))));
            if (value != always)
                out.push_back(formulas_.atom(
                    {.kind = Says::items_all, .a = value, .from = listed, .to = listed + 1}));
        }
    }
    if (items != nullptr && !old_list) INGLE_TRY(add_rest(*items, pointer_to(pointer, "items")));
    const Json* const more = schema.find("additionalItems");
    if (more != nullptr && old_list)
        INGLE_TRY(add_rest(*more, pointer_to(pointer, "additionalItems")));

    INGLE_ASSIGN(const auto fewest, count_of(schema, "minItems", pointer));
    INGLE_ASSIGN(const auto most, count_of(schema, "maxItems", pointer));
    if (fewest && *fewest > 0) out.push_back(formulas_.atom({.kind = Says::items_min, .a = *fewest}));
    if (most) out.push_back(formulas_.atom({.kind = Says::items_max, .a = *most}));

    INGLE_ASSIGN(const auto met_min, count_of(schema, "minContains", pointer));
    INGLE_ASSIGN(const auto met_max, count_of(schema, "maxContains", pointer));
    const bool counts = references_.draft() >= Draft::draft2019;
    if (const Json* const contained = schema.find("contains");
        contained != nullptr && references_.draft() >= Draft::draft6) {
        INGLE_ASSIGN(const Formula value, read(*contained, pointer_to(pointer, "contains")));
        out.push_back(formulas_.atom({.kind = Says::items_any, .a = value,
                                      .b = counts ? met_min.value_or(1) : 1, .from = 0, .to = unlimited}));
        if (met_max && counts)
            out.push_back(formulas_.atom(
                {.kind = Says::items_few, .a = value, .b = *met_max, .from = 0, .to = unlimited}));
    }
    const Json* const unique = schema.find("uniqueItems");
    if (unique != nullptr && unique->is(Json::Type::boolean) && unique->boolean && !(most && *most <= 1))
        return unsupported(pointer_to(pointer, "uniqueItems"), "this keyword is not supported");
    return {};
}

}  // namespace ingle::grammar
