#include "gguf/hyperparameter.h"

#include <cmath>
#include <concepts>

namespace ingle::gguf {

namespace {

template <class T>
std::string range_text(T min, T max) {
    if constexpr (std::floating_point<T>)
        return cat(double(min), " to ", double(max));
    else
        return cat(min, " to ", max);
}

template <class T>
Result<T> require(const Metadata& metadata, std::string_view key, T min, T max) {
    const Value* const value = metadata.find(key);
    if (value == nullptr) return impossible(key, range_text(min, max), "nothing");
    const auto number = as<T>(*value);
    // Written so that NaN fails.
    if (number.ok() && *number >= min && *number <= max) return *number;
    return impossible(key, range_text(min, max), describe(*value));
}

}  // namespace

Status impossible(std::string_view key, std::string_view expected, std::string_view found) {
    return fail(Code::corrupt, "missing or impossible hyper-parameter ", quoted(key), ": expected ",
                expected, ", found ", found);
}

Result<uint32_t> require_u32(const Metadata& metadata, std::string_view key, uint32_t min,
                             uint32_t max) {
    return require(metadata, key, min, max);
}

Result<uint32_t> optional_u32(const Metadata& metadata, std::string_view key, uint32_t fallback,
                              uint32_t min, uint32_t max) {
    return metadata.contains(key) ? require(metadata, key, min, max) : fallback;
}

Result<float> require_f32(const Metadata& metadata, std::string_view key, float min, float max) {
    return require(metadata, key, min, max);
}

Result<float> optional_f32(const Metadata& metadata, std::string_view key, float fallback,
                           float min, float max) {
    return metadata.contains(key) ? require(metadata, key, min, max) : fallback;
}

Result<std::vector<uint32_t>> require_u32_per_layer(const Metadata& metadata, std::string_view key,
                                                    uint32_t layers, uint32_t min, uint32_t max) {
    const Value* const value = metadata.find(key);
    if (value == nullptr || !std::holds_alternative<Array>(*value)) {
        INGLE_ASSIGN(const uint32_t shared, require(metadata, key, min, max));
        return std::vector<uint32_t>(layers, shared);
    }
    const auto expected = [&] { return cat(layers, " values of ", range_text(min, max)); };
    auto list = as<std::vector<uint32_t>>(*value);
    if (!list.ok() || list->size() != layers) return impossible(key, expected(), describe(*value));
    for (size_t i = 0; i < list->size(); ++i)
        if ((*list)[i] < min || (*list)[i] > max)
            return impossible(key, expected(), cat((*list)[i], " for layer ", i));
    return list;
}

Result<std::vector<uint32_t>> optional_u32_per_layer(const Metadata& metadata, std::string_view key,
                                                     uint32_t layers, uint32_t fallback,
                                                     uint32_t min, uint32_t max) {
    if (metadata.contains(key)) return require_u32_per_layer(metadata, key, layers, min, max);
    return std::vector<uint32_t>(layers, fallback);
}

}  // namespace ingle::gguf
