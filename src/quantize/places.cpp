#include "quantize/places.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace ingle::quantize {

int64_t hyperparameter(const gguf::Metadata& metadata, std::string_view key, int64_t missing) {
    const std::string full = cat(metadata.text("general.architecture"), ".", key);
    if (const auto one = metadata.get<int64_t>(full); one.ok()) return *one;
    const auto many = metadata.get<std::vector<int64_t>>(full);
    if (!many.ok() || many->empty()) return missing;
    return *std::ranges::max_element(*many);
}

namespace {

Place model_facts(const gguf::File& file, bool has_importance) {
    const gguf::Metadata& metadata = file.metadata();
    const std::string_view architecture = metadata.text("general.architecture");
    const int64_t layers = hyperparameter(metadata, "block_count", 0);
    const int64_t heads = hyperparameter(metadata, "attention.head_count", 1);
    const int64_t kv_heads = hyperparameter(metadata, "attention.head_count_kv", heads);
    Place place;
    place.has_importance = has_importance;
    place.heads_per_kv =
        kv_heads > 0 && heads > 0 ? uint32_t(std::min(heads / kv_heads, int64_t(1 << 20))) : 1;
    place.experts =
        uint32_t(std::clamp<int64_t>(hyperparameter(metadata, "expert_count", 0), 0, 1 << 20));
    place.is_falcon = architecture == "falcon";
    place.is_70b =
        layers == 80 && (architecture == "qwen2" || (architecture == "llama" && heads != kv_heads));
    return place;
}

bool is_feed_forward(Role role) {
    return role == Role::ffn_down || role == Role::ffn_gate || role == Role::ffn_up;
}

}  // namespace

std::vector<Place> places_of(const gguf::File& file, bool has_importance) {
    const auto tensors = file.tensors();
    const Place facts = model_facts(file, has_importance);
    const int layers =
        int(std::clamp<int64_t>(hyperparameter(file.metadata(), "block_count", 0), 0, 1 << 20));
    std::vector<Place> places(tensors.size(), facts);
    std::vector<size_t> order(tensors.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::ranges::sort(order, {}, [&](size_t i) {
        return std::pair(layer_of(tensors[i].name), std::string_view(tensors[i].name));
    });

    std::map<Role, int> counters;
    for (const size_t i : order) {
        Place& place = places[i];
        place.role = role_of(tensors[i].name);
        place.is_expert_stack = tensors[i].rank >= 3 && tensors[i].dims[2] > 1;
        place.ordinal = counters[place.role]++;
        place.index = is_feed_forward(place.role) && facts.experts > 1
                          ? std::max(layer_of(tensors[i].name), 0)
                          : place.ordinal;
        place.count = layers;
    }
    for (Place& place : places)
        if (place.role == Role::attn_value) place.count = counters[Role::attn_value];
    return places;
}

}  // namespace ingle::quantize
