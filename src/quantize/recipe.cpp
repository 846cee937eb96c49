#include "quantize/recipe.h"

#include "base/text.h"
#include "gguf/tensor_type.h"

namespace ingle::quantize {

namespace {

consteval uint32_t id(std::string_view name) {
    return gguf::find_tensor_type(name)->id;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return a.size() == b.size() && starts_with_ignoring_case(a, b);
}

struct Alias {
    std::string_view name;
    std::string_view recipe;
};
constexpr Alias aliases[] = {{"Q3_K", "Q3_K_M"}, {"Q4_K", "Q4_K_M"}, {"Q5_K", "Q5_K_M"}};

const Rule* find_rule(std::span<const Rule> rules, const Place& place) {
    for (const Rule& rule : rules)
        if (rule.role == place.role && rule.when(place)) return &rule;
    return nullptr;
}

}  // namespace

const Recipe* find_recipe(std::string_view name) {
    for (const Alias& alias : aliases)
        if (equal_ignoring_case(name, alias.name)) name = alias.recipe;
    const auto number = parse_int(name);
    for (const Recipe& recipe : all_recipes())
        if (number ? *number == int64_t(recipe.file_type) : equal_ignoring_case(recipe.name, name))
            return &recipe;
    return nullptr;
}

uint32_t choose_type(const Recipe& recipe, const Place& place, uint64_t columns) {
    if (place.role == Role::output) {
        // Plain recipes keep their type for all matrices; elsewhere the output is worth more bits.
        const auto block = gguf::find_tensor_type(recipe.output)->block_elements;
        const bool is_plain = recipe.output == recipe.base && block <= 32;
        if (is_plain) return recipe.output;
        return place.is_falcon || columns % block != 0 ? id("Q8_0") : recipe.output;
    }
    if (place.role == Role::embedding) return recipe.embedding;
    if (const Rule* const rule = find_rule(recipe.first_rules, place)) return rule->type_id;
    if (const Rule* const rule = find_rule(recipe.rules, place)) return rule->type_id;
    return recipe.base;
}

Result<uint32_t> fallback_for(uint32_t type_id, uint64_t columns) {
    struct Neighbour {
        uint32_t type, instead;
    };
    constexpr Neighbour neighbours[] = {
        {id("IQ1_S"), id("IQ4_NL")},  {id("IQ1_M"), id("IQ4_NL")},  {id("IQ2_XXS"), id("IQ4_NL")},
        {id("IQ2_XS"), id("IQ4_NL")}, {id("IQ2_S"), id("IQ4_NL")},  {id("IQ3_XXS"), id("IQ4_NL")},
        {id("IQ3_S"), id("IQ4_NL")},  {id("IQ4_XS"), id("IQ4_NL")}, {id("Q2_K"), id("Q4_0")},
        {id("Q3_K"), id("Q4_0")},     {id("TQ1_0"), id("Q4_0")},    {id("TQ2_0"), id("Q4_0")},
        {id("Q2_0"), id("Q4_0")},     {id("Q4_K"), id("Q5_0")},     {id("Q5_K"), id("Q5_1")},
        {id("Q6_K"), id("Q8_0")},
    };
    const gguf::TensorType& type = *gguf::find_tensor_type(type_id);
    for (const Neighbour& neighbour : neighbours) {
        if (neighbour.type != type_id) continue;
        return columns % 32 == 0 ? neighbour.instead : id("F16");
    }
    if (type.block_elements == 32) return id("F16");
    return fail(Code::invalid_argument, "rows of ", columns, " columns do not divide into the ",
                type.block_elements, " of a block of ", type.name,
                ", and no other type is close to it");
}

bool needs_importance(uint32_t type_id, const Recipe& recipe) {
    switch (type_id) {
        case id("IQ1_S"):
        case id("IQ1_M"):
        case id("IQ2_XXS"):
        case id("IQ2_XS"):
        case id("IQ2_S"):
        case id("IQ3_XXS"):
            return true;
        case id("Q2_K"):
            return recipe.name == "Q2_K_S";
        default:
            return false;
    }
}

}  // namespace ingle::quantize
