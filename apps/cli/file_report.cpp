#include "cli/file_report.h"

#include <array>
#include <cstdio>

#include "cli/json_writer.h"
#include "cli/terminal.h"
#include "gguf/tensor_type.h"

namespace ingle::cli {

namespace {

struct Totals {
    uint64_t parameters = 0;
    uint64_t bytes = 0;
    double bits_per_weight() const {
        return parameters == 0 ? 0 : 8.0 * double(bytes) / double(parameters);
    }
};

Totals totals_of(const gguf::File& file) {
    Totals totals;
    for (const gguf::TensorInfo& tensor : file.tensors()) {
        totals.parameters += tensor.elements();
        totals.bytes += tensor.bytes;
    }
    return totals;
}

std::string_view type_name(const gguf::TensorInfo& tensor) {
    const gguf::TensorType* const type = gguf::find_tensor_type(tensor.type_id);
    return type == nullptr ? "?" : type->name;
}

std::string with_decimals(double value, int decimals) {
    std::array<char, 64> buffer;
    std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
    return buffer.data();
}

// 134515008 -> "134.5 M"
std::string human_count(uint64_t count) {
    constexpr std::array<const char*, 5> units = {"", " K", " M", " B", " T"};
    double value = double(count);
    size_t unit = 0;
    while (value >= 1000 && unit + 1 < units.size()) value /= 1000, ++unit;
    return unit == 0 ? cat(count) : with_decimals(value, 1) + units[unit];
}

std::string shape_of(const gguf::TensorInfo& tensor) {
    std::string out = "[";
    for (const uint64_t dim : tensor.shape()) out += (out.size() > 1 ? ", " : "") + cat(dim);
    return out + "]";
}

void write_array(JsonWriter& json, const gguf::Array& array);

struct WriteElement {
    JsonWriter& json;
    void operator()(const gguf::Array& array) const { write_array(json, array); }
    template <class T>
    void operator()(const T& value) const {
        json.value(value);
    }
};

// Nesting is bounded by the reader.
void write_array(JsonWriter& json, const gguf::Array& array) {
    json.begin_array();
    std::visit(
        [&]<class Elements>(const Elements& elements) {
            if constexpr (std::is_same_v<Elements, gguf::Strings>) {
                for (const std::string_view text : elements.views()) json.value(text);
            } else if constexpr (std::is_same_v<Elements, std::vector<bool>>) {
                for (const bool truth : elements) json.value(truth);
            } else {
                for (const auto& element : elements) WriteElement{json}(element);
            }
        },
        array.elements);
    json.end_array();
}

void write_value(JsonWriter& json, const gguf::Value& value) {
    std::visit(
        [&]<class T>(const T& content) {
            if constexpr (std::is_same_v<T, std::string>) json.value(std::string_view(content));
            else WriteElement{json}(content);
        },
        value);
}

std::string memory_text(const MemoryNeed& need) {
    std::string out = cat("Memory      ", human_bytes(need.weight_bytes), " of weights");
    if (need.kv_bytes_per_token != 0 && need.context_tokens != 0)
        out += cat(" + ", human_bytes(need.kv_bytes_per_token), " a token of context: ",
                   human_bytes(need.weight_bytes + need.kv_bytes_per_token * need.context_tokens),
                   " for all ", need.context_tokens, " tokens");
    return out + "\n";
}

}  // namespace

MemoryNeed memory_need(const gguf::File& file) {
    MemoryNeed need{.weight_bytes = totals_of(file).bytes};
    const std::string architecture(file.metadata().text("general.architecture"));
    // Values out of any real model's range count as unknown: this is a report, not a plan.
    const auto number = [&](const char* key, uint64_t fallback) -> uint64_t {
        const auto value = file.get<uint32_t>(architecture + key);
        return value.ok() && *value <= 1u << 24 ? *value : fallback;
    };
    const uint64_t heads = number(".attention.head_count", 0);
    const uint64_t width = number(".embedding_length", 0);
    need.context_tokens = number(".context_length", 0);
    if (heads == 0) return need;
    const uint64_t key_length = number(".attention.key_length", width / heads);
    const uint64_t value_length = number(".attention.value_length", width / heads);
    need.kv_bytes_per_token = 2 * number(".block_count", 0) * number(".attention.head_count_kv", heads) *
                              (key_length + value_length);
    return need;
}

std::string text_report(const gguf::File& file, const std::string& path) {
    const Totals totals = totals_of(file);
    std::string out = cat("File        ", path, ": GGUF version ", file.version(), ", ",
                          human_bytes(file.total_bytes()), ", alignment ", file.alignment());
    if (file.shard_count() > 1) out += cat(", in ", file.shard_count(), " parts");
    out += cat("\nModel       ", file.metadata().text("general.name"), " (",
               file.metadata().text("general.architecture"), "), ",
               human_count(totals.parameters), " parameters, ",
               with_decimals(totals.bits_per_weight(), 2), " bits per weight\n",
               memory_text(memory_need(file)));

    out += cat("\n", styled_output(Style::bold, "Metadata"), " (", file.metadata().entries().size(),
               " keys)\n");
    for (const auto& entry : file.metadata().entries())
        out += cat("  ", ingle::quoted(entry.key).substr(1, entry.key.size()), "  ",
                   gguf::describe(entry.value), "\n");

    out += cat("\n", styled_output(Style::bold, "Tensors"), " (", file.tensors().size(), ")\n");
    for (const gguf::TensorInfo& tensor : file.tensors())
        out += cat("  ", tensor.name, "  ", type_name(tensor), "  ", shape_of(tensor), "  ",
                   human_bytes(tensor.bytes), "\n");
    return out;
}

std::string json_report(const gguf::File& file, const std::string& path) {
    const Totals totals = totals_of(file);
    const MemoryNeed need = memory_need(file);
    JsonWriter json(2);
    json.begin_object().member("file", std::string_view(path)).member("version", file.version());
    json.member("alignment", file.alignment()).member("parts", file.shard_count());
    json.member("bytes", file.total_bytes());
    json.member("architecture", file.metadata().text("general.architecture"));
    json.member("parameters", totals.parameters);
    json.member("bits_per_weight", totals.bits_per_weight());

    json.key("metadata").begin_object();
    for (const auto& entry : file.metadata().entries())
        write_value(json.key(entry.key), entry.value);
    json.end_object();

    json.key("tensors").begin_array();
    for (const gguf::TensorInfo& tensor : file.tensors()) {
        json.begin_object().member("name", std::string_view(tensor.name));
        json.member("type", type_name(tensor)).key("shape").begin_array();
        for (const uint64_t dim : tensor.shape()) json.value(dim);
        json.end_array().member("offset", tensor.offset).member("bytes", tensor.bytes);
        json.end_object();
    }
    json.end_array();

    json.key("memory").begin_object().member("weight_bytes", need.weight_bytes);
    json.member("kv_bytes_per_token", need.kv_bytes_per_token);
    json.member("context_tokens", need.context_tokens).end_object().end_object();
    return json.text() + "\n";
}

}  // namespace ingle::cli
