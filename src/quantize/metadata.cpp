#include "quantize/metadata.h"

#include <algorithm>
#include <filesystem>

#include "quantize/places.h"
#include "quantize/plan.h"
#include "quantize/tensor_role.h"

namespace ingle::quantize {

namespace {

constexpr uint32_t quantization_version = 2;  // of block layouts since 2023

// Arrays of the architecture with one element per layer lose the elements of dropped layers.
template <class List>
List pruned(const List& list, const LayerMap& layers) {
    if constexpr (std::is_same_v<List, gguf::Strings>) {
        std::vector<std::string_view> views;
        for (size_t i = 0; i < list.size(); ++i)
            if (layers.new_number[i] >= 0) views.push_back(list.views()[i]);
        return gguf::Strings::copy_of(std::span<const std::string_view>(views));
    } else {
        List out;
        for (size_t i = 0; i < list.size(); ++i)
            if (layers.new_number[i] >= 0) out.push_back(list[i]);
        return out;
    }
}

void prune_metadata(gguf::Metadata& metadata, const LayerMap& layers) {
    const std::string prefix = cat(metadata.text("general.architecture"), ".");
    std::vector<gguf::Metadata::Entry> changed;
    for (const auto& [key, value] : metadata.entries()) {
        const auto* const array = std::get_if<gguf::Array>(&value);
        if (array == nullptr || !key.starts_with(prefix) ||
            array->size() != layers.new_number.size())
            continue;
        changed.push_back(
            {key, std::visit([&](const auto& list) { return gguf::Array{pruned(list, layers)}; },
                             array->elements)});
    }
    for (auto& [key, value] : changed) metadata.set(key, std::move(value));
    metadata.set(cat(prefix, "block_count"), uint32_t(layers.kept()));
}

}  // namespace

std::optional<std::string> LayerMap::renamed(const std::string& name) const {
    const int layer = layer_of(name);
    if (new_number.empty() || layer < 0 || size_t(layer) >= new_number.size()) return name;
    if (new_number[size_t(layer)] < 0) return std::nullopt;
    const size_t rest = name.find('.', 4);
    return cat("blk.", new_number[size_t(layer)], name.substr(rest));
}

size_t LayerMap::kept() const {
    return size_t(std::ranges::count_if(new_number, [](int number) { return number >= 0; }));
}

Result<LayerMap> map_layers(const gguf::File& file, const std::vector<int>& prune) {
    LayerMap layers;
    if (prune.empty()) return layers;
    const int64_t count = hyperparameter(file.metadata(), "block_count", 0);
    if (count < 1 || count > 100000)
        return fail(Code::invalid_argument, "layers cannot be pruned: the file says it has ",
                    count);
    layers.new_number.assign(size_t(count), 0);
    for (const int layer : prune) {
        if (layer < 0 || layer >= count || layers.new_number[size_t(layer)] < 0)
            return fail(Code::invalid_argument,
                        "layers to prune: expected different numbers from 0 to ", count - 1,
                        ", found ", layer);
        layers.new_number[size_t(layer)] = -1;
    }
    int next = 0;
    for (int& number : layers.new_number)
        if (number >= 0) number = next++;
    if (next == 0) return fail(Code::invalid_argument, "all ", count, " layers would be pruned");
    return layers;
}

Result<gguf::Metadata> make_metadata(const gguf::File& file, const Options& options,
                                     const LayerMap& layers) {
    gguf::Metadata metadata = file.metadata();
    if (!layers.new_number.empty()) prune_metadata(metadata, layers);
    if (options.recipe != nullptr) {
        metadata.set("general.quantization_version", quantization_version);
        metadata.set("general.file_type", options.recipe->file_type);
    }
    if (options.importance != nullptr) {
        const imatrix::Matrix& matrix = *options.importance;
        metadata.set("quantize.imatrix.file",
                     std::filesystem::path(options.importance_file).filename().string());
        if (!matrix.datasets.empty()) metadata.set("quantize.imatrix.dataset", matrix.datasets[0]);
        metadata.set("quantize.imatrix.entries_count", uint32_t(matrix.entries.size()));
        metadata.set("quantize.imatrix.chunks_count", matrix.chunk_count);
    }
    for (const auto& [key, value] : options.override_metadata) metadata.set(key, value);
    return metadata;
}

Result<gguf::Metadata::Entry> parse_override(std::string_view text) {
    const size_t equals = text.find('=');
    const size_t colon = equals == std::string_view::npos ? equals : text.find(':', equals);
    const auto wrong = [&] {
        return fail(Code::invalid_argument,
                    "expected KEY=TYPE:VALUE with TYPE int, float, bool or str, found ",
                    quoted(text));
    };
    if (colon == std::string_view::npos || equals == 0) return wrong();
    const std::string_view type = text.substr(equals + 1, colon - equals - 1);
    const std::string_view value = text.substr(colon + 1);
    gguf::Metadata::Entry entry = {std::string(text.substr(0, equals)), {}};
    if (type == "str") {
        entry.value = std::string(value);
    } else if (type == "bool" && (value == "true" || value == "false")) {
        entry.value = value == "true";
    } else if (const auto integer = parse_int(value); type == "int" && integer) {
        if (*integer >= 0 && *integer <= int64_t(UINT32_MAX)) {
            entry.value = uint32_t(*integer);
        } else {
            entry.value = *integer;
        }
    } else if (const auto real = parse_real(value); type == "float" && real) {
        entry.value = float(*real);
    } else {
        return wrong();
    }
    return entry;
}

}  // namespace ingle::quantize
