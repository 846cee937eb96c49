// Keywords of numbers and strings, and single values.
#include "grammar/regex/parse.h"
#include "grammar/schema/format.h"
#include "grammar/schema/reader.h"

namespace ingle::grammar {

using Says = FormulaNode::Kind;

namespace {

Expr equal_to(Expressions& e, const Decimal& value) {
    return e.both({e.number({.kind = NumberTest::Kind::less_equal, .bound = value}),
                   e.negation(e.number({.kind = NumberTest::Kind::less, .bound = value}))});
}

}  // namespace

Result<Formula> formula_of_value(NormalForms& forms, const Json& value) {
    Formulas& f = forms.formulas();
    Expressions& e = forms.expressions();
    switch (value.type) {
        case Json::Type::null: return f.types(null_type);
        case Json::Type::boolean:
            return f.all_of({f.types(boolean_type), f.atom({.kind = Says::truth, .a = value.boolean})});
        case Json::Type::number: {
            INGLE_ASSIGN(const Decimal decimal, Decimal::parse(value.text));
            return f.all_of({f.types(number_type), f.atom({.kind = Says::number, .a = equal_to(e, decimal)})});
        }
        case Json::Type::string:
            return f.all_of({f.types(string_type), f.atom({.kind = Says::text, .a = e.literal(value.text)})});
        case Json::Type::array: {
            const uint32_t count = uint32_t(value.items.size());
            std::vector<Formula> parts = {f.types(array_type), f.atom({.kind = Says::items_min, .a = count}),
                                          f.atom({.kind = Says::items_max, .a = count})};
            for (uint32_t i = 0; i < count; ++i) {
                INGLE_ASSIGN(const Formula item, formula_of_value(forms, value.items[i]));
                parts.push_back(f.atom({.kind = Says::items_all, .a = item, .from = i, .to = i + 1}));
            }
            return f.all_of(std::move(parts));
        }
        case Json::Type::object: {
            std::map<std::string, const Json*> members;  // the last of a name counts
            for (const auto& [name, member] : value.members) members[name] = &member;
            std::vector<Formula> parts = {f.types(object_type),
                                          f.atom({.kind = Says::members_max, .a = uint32_t(members.size())})};
            for (const auto& [name, member] : members) {
                INGLE_ASSIGN(const Formula inner, formula_of_value(forms, *member));
                const uint32_t names = f.name_set({.single = true, .name = name, .expression = e.literal(name)});
                parts.push_back(f.atom({.kind = Says::members_any, .a = names, .b = inner}));
            }
            return f.all_of(std::move(parts));
        }
    }
    return never;
}

Status SchemaReader::read_numbers(const Json& schema, const std::string& pointer, Parts& out) {
    Expressions& e = forms_.expressions();
    const auto flag = [&](std::string_view keyword) {
        const Json* const value = schema.find(keyword);
        return value != nullptr && value->is(Json::Type::boolean) && value->boolean;
    };
    for (const std::string_view keyword :
         {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}) {
        const Json* const value = schema.find(keyword);
        if (value == nullptr) continue;
        const std::string here = pointer_to(pointer, keyword);
        // Draft 4 has exclusiveMinimum: true beside minimum.
        if (value->is(Json::Type::boolean) && keyword.starts_with("exclusive")) continue;
        if (!value->is(Json::Type::number))
            return wrong(here, "expected a number, found ", name_of(value->type));
        auto bound = Decimal::parse(value->text);
        if (!bound.ok()) return std::move(bound).status().in("schema, " + here);
        Expr test = none;
        if (keyword == "multipleOf") {
            auto multiple = NumberTest::multiple_of(*bound);
            if (!multiple.ok()) return std::move(multiple).status().in("schema, " + here);
            test = e.number(*multiple);
        } else {
            const bool lower = keyword == "minimum" || keyword == "exclusiveMinimum";
            const bool exclusive = keyword.starts_with("exclusive") ||
                                   flag(lower ? "exclusiveMinimum" : "exclusiveMaximum");
            // Not below: at least. Not at or below: above.
            const bool equal_too = lower == exclusive;
            test = e.number({.kind = equal_too ? NumberTest::Kind::less_equal : NumberTest::Kind::less,
                             .bound = *bound});
            if (lower) test = e.negation(test);
        }
        out.push_back(formulas_.atom({.kind = Says::number, .a = test}));
    }
    return {};
}

Status SchemaReader::read_text(const Json& schema, const std::string& pointer, Parts& out) {
    Expressions& e = forms_.expressions();
    const auto add = [&](Expr text) { out.push_back(formulas_.atom({.kind = Says::text, .a = text})); };
    INGLE_ASSIGN(const auto shortest, count_of(schema, "minLength", pointer));
    INGLE_ASSIGN(const auto longest, count_of(schema, "maxLength", pointer));
    if ((shortest && *shortest > 0) || longest) {
        const uint32_t min = shortest.value_or(0), max = longest ? *longest : unlimited;
        add(max < min ? none : e.repeat(characters(e, {{0, 0x10ffff}}), min, max));
    }
    if (const Json* const pattern = schema.find("pattern")) {
        const std::string here = pointer_to(pointer, "pattern");
        if (!pattern->is(Json::Type::string))
            return wrong(here, "expected a string, found ", name_of(pattern->type));
        auto text = parse_pattern(e, pattern->text);
        if (!text.ok()) return std::move(text).status().in("schema, " + here);
        add(*text);
    }
    if (const Json* const format = schema.find("format")) {
        const std::string here = pointer_to(pointer, "format");
        if (!format->is(Json::Type::string))
            return wrong(here, "expected a string, found ", name_of(format->type));
        const std::string known = format_pattern(format->text);
        if (known.empty())
            return unsupported(here, "the format ", quoted(format->text), " is not supported; known: ",
                               known_formats());
        auto text = parse_regex(e, known);
        if (!text.ok()) return std::move(text).status().in("schema, " + here);
        add(*text);
    }
    return {};
}

Result<std::optional<uint32_t>> SchemaReader::count_of(const Json& schema, std::string_view keyword,
                                                       const std::string& pointer) {
    const Json* const value = schema.find(keyword);
    if (value == nullptr) return std::optional<uint32_t>();
    const auto count = value->count();
    if (!count)
        return wrong(pointer_to(pointer, keyword), "expected a whole number from 0 to 2147483647, found ",
                     value->is(Json::Type::number) ? value->text : std::string(name_of(value->type)));
    return count;
}

}  // namespace ingle::grammar
