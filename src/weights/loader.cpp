#include "weights/loader.h"

#include <algorithm>
#include <cmath>

#include "gguf/hyperparameter.h"
#include "gguf/tensor_type.h"
#include "quant/support/format.h"

namespace ingle {

namespace {

constexpr size_t faults_shown_max = 50;

std::string shape_text(std::span<const uint64_t> shape) {
    std::string text = "[";
    for (size_t i = 0; i < shape.size(); ++i) text += cat(i == 0 ? "" : ", ", shape[i]);
    return text + "]";
}

std::string type_text(uint32_t id) {
    const gguf::TensorType* const type = gguf::find_tensor_type(id);
    return type == nullptr ? cat("number ", id) : std::string(type->name);
}

std::string supported_formats() {
    std::string names;
    for (const quant::FormatInfo& format : quant::all_formats())
        names += cat(names.empty() ? "" : ", ", format.name);
    return names;
}

}  // namespace

Loader::Loader(const gguf::File& file, graph::Builder& builder)
    : file_(file), builder_(builder),
      architecture_(file.metadata().text("general.architecture")) {}

template <class T>
T Loader::take(Result<T> result, T harmless) {
    if (result.ok()) return std::move(*result);
    fault(result.status().message());
    return harmless;
}

int64_t Loader::integer(std::string_view key, int64_t min, int64_t max) {
    return take(gguf::require_u32(file_.metadata(), key_of(key), uint32_t(min), uint32_t(max)),
                uint32_t(min));
}

int64_t Loader::integer_or(std::string_view key, int64_t fallback, int64_t min, int64_t max) {
    return take(gguf::optional_u32(file_.metadata(), key_of(key), uint32_t(fallback), uint32_t(min),
                                   uint32_t(max)),
                uint32_t(fallback));
}

float Loader::real(std::string_view key, float min, float max) {
    return take(gguf::require_f32(file_.metadata(), key_of(key), min, max), min);
}

float Loader::real_or(std::string_view key, float fallback, float min, float max) {
    return take(gguf::optional_f32(file_.metadata(), key_of(key), fallback, min, max), fallback);
}

bool Loader::flag_or(std::string_view key, bool fallback) {
    return take(file_.metadata().get_or<bool>(key_of(key), fallback), fallback);
}

std::string_view Loader::text_or(std::string_view key, std::string_view fallback) {
    const std::string full = key_of(key);
    return file_.metadata().contains(full) ? file_.metadata().text(full) : fallback;
}

bool Loader::has_key(std::string_view key) const {
    return file_.metadata().contains(key_of(key));
}

bool Loader::has_tensor(std::string_view full_name) const {
    return file_.find_tensor(full_name) != nullptr;
}

int64_t Loader::rows_of(const std::string& name) {
    const gguf::TensorInfo* const info = file_.find_tensor(name + ".weight");
    if (info != nullptr) return int64_t(info->dims[1]);
    fault(cat("tensor '", name, ".weight' is missing"));
    return 0;
}

WeightId Loader::matrix(const std::string& name, int64_t columns, int64_t rows) {
    return tensor(name + ".weight", {uint64_t(columns), uint64_t(rows)});
}

WeightId Loader::stack(const std::string& name, int64_t columns, int64_t rows, int64_t count) {
    return tensor(name + ".weight", {uint64_t(columns), uint64_t(rows), uint64_t(count)});
}

WeightId Loader::vector(const std::string& name, int64_t columns) {
    return tensor(name + ".weight", {uint64_t(columns)});
}

WeightId Loader::bias(const std::string& name, int64_t columns) {
    if (!has_tensor(name + ".bias")) return none;
    return tensor(name + ".bias", {uint64_t(columns)});
}

WeightId Loader::tensor(const std::string& full_name, std::vector<uint64_t> shape) {
    if (const auto known = known_.find(full_name); known != known_.end()) return known->second;
    const gguf::TensorInfo* const info = file_.find_tensor(full_name);
    if (info == nullptr) {
        fault(cat("tensor '", full_name, "' is missing; expected shape ", shape_text(shape)));
        return known_[full_name] = 0;
    }
    std::vector<uint64_t> found(info->shape().begin(), info->shape().end());
    while (found.size() > shape.size() && found.back() == 1) found.pop_back();
    while (found.size() < shape.size() && shape[found.size()] == 1) found.push_back(1);
    const quant::FormatInfo* const format = quant::find_format(info->type_id);
    if (found != shape) {
        fault(cat("tensor '", full_name, "': expected shape ", shape_text(shape), ", found ",
                  shape_text(found)));
        return known_[full_name] = 0;
    }
    if (format == nullptr) {
        const std::string type = type_text(info->type_id);
        const bool for_activations = type == "Q8_1" || type == "Q8_K";
        fault(cat("tensor '", full_name, "' has type ", type,
                  for_activations ? ", which is for activations and never of a weight; expected one of: "
                                  : ", which this build cannot compute with; it can: ",
                  supported_formats()));
        return known_[full_name] = 0;
    }
    int64_t rows = 1;
    WeightSource source;
    source.name = full_name;
    source.format = format;
    source.columns = int64_t(shape[0]);
    for (size_t i = 1; i < shape.size(); ++i) rows *= int64_t(shape[i]);
    source.rows = rows;
    if (format->name == "NVFP4") source.factor = factor_beside(full_name);
    if (const MappedFile* const shard = file_.shard(info->shard)) {
        source.file = shard;
        source.file_offset = info->offset;
    } else {
        source.memory = file_.bytes(*info);
    }
    return known_[full_name] = builder_.add_weight(std::move(source));
}

float Loader::factor_beside(const std::string& full_name) {
    const std::string stem = full_name.substr(0, full_name.rfind('.'));
    // For engines that also quantize the activations to 4 bits.
    known_[stem + ".input_scale"] = 0;
    const std::string name = stem + ".scale";
    const gguf::TensorInfo* const info = file_.find_tensor(name);
    if (info == nullptr) return 1;
    known_[name] = 0;
    float factor = 1;
    if (gguf::find_tensor_type(info->type_id)->name != "F32" || info->bytes != sizeof(factor)) {
        fault(cat("tensor '", name, "': expected one F32 number, found ", shape_text(info->shape()),
                  " of ", type_text(info->type_id)));
        return 1;
    }
    if (const Status status = file_.read(*info, 0, std::as_writable_bytes(std::span(&factor, 1)));
        !status.ok()) {
        fault(status.message());
    } else if (!std::isfinite(factor)) {
        fault(cat("tensor '", name, "': expected a finite number, found ", factor));
    }
    return factor;
}

void Loader::fault(std::string message) { faults_.push_back(std::move(message)); }

Status Loader::status() const {
    if (faults_.empty()) return {};
    std::string all;
    for (size_t i = 0; i < std::min(faults_.size(), faults_shown_max); ++i)
        all += (i == 0 ? "" : "\n") + faults_[i];
    if (faults_.size() > faults_shown_max)
        all += cat("\n... and ", faults_.size() - faults_shown_max, " more");
    return Status(Code::corrupt, all);
}

std::vector<std::string> Loader::unused_tensors() const {
    std::vector<std::string> names;
    for (const gguf::TensorInfo& info : file_.tensors())
        if (!known_.contains(info.name)) names.push_back(info.name);
    return names;
}

}  // namespace ingle
