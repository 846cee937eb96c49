// A recipe is a name (Q4_K_M) for a mixture of types: a function from a tensor and a few facts
// about its model to the type that it gets. Recipes are data, one table in recipes.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/status.h"
#include "quantize/tensor_role.h"

namespace ingle::quantize {

// What a rule may ask about a tensor and its model.
struct Place {
    Role role = Role::other;
    int index = 0;    // its layer, or its number among the tensors of its role (see places.h)
    int count = 0;    // of layers, or of such tensors
    int ordinal = 0;  // its number among the tensors of its role
    bool is_expert_stack = false;
    bool has_importance = false;  // an importance matrix was given
    uint32_t heads_per_kv = 1;    // query heads that share a key and value head
    uint32_t experts = 0;
    bool is_falcon = false;
    bool is_70b = false;  // 80 layers whose value matrices are small beside the rest
};

struct Rule {
    Role role;
    bool (*when)(const Place&);
    uint32_t type_id;  // see gguf/tensor_type.h
};

struct Recipe {
    std::string_view name;
    uint32_t file_type;  // general.file_type, a label
    std::string_view summary;
    uint32_t base;
    uint32_t output;
    uint32_t embedding;                 // of its own, not tied to the output
    std::span<const Rule> first_rules;  // shared between recipes
    std::span<const Rule> rules;        // the first that fits wins, else `base`
};

std::span<const Recipe> all_recipes();

// By name or alias ("Q4_K" is Q4_K_M) in any letter case, or by the number of its file type.
// Null if there is none.
const Recipe* find_recipe(std::string_view name);

// The type for a tensor that divides into its blocks.
uint32_t choose_type(const Recipe& recipe, const Place& place, uint64_t columns);

// What a tensor whose rows are no multiple of the type's block gets instead: the next type with
// blocks of 32, or F16. Fails for the types that have no such neighbour.
Result<uint32_t> fallback_for(uint32_t type_id, uint64_t columns);

// True for types that are useless without knowing which columns matter.
bool needs_importance(uint32_t type_id, const Recipe& recipe);

}  // namespace ingle::quantize
