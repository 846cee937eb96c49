#include "quantize/plan.h"

#include <algorithm>
#include <numeric>

#include "gguf/tensor_type.h"
#include "quant/support/format.h"
#include "quantize/metadata.h"
#include "quantize/places.h"

namespace ingle::quantize {

namespace {

constexpr size_t names_shown_max = 8;

std::string_view name_of_type(uint32_t type_id) {
    return gguf::find_tensor_type(type_id)->name;
}

bool is_float(uint32_t type_id) {
    return gguf::find_tensor_type(type_id)->block_elements == 1;
}

// "'a', 'b' and 7 more"
std::string listed(const std::vector<std::string_view>& names) {
    std::string text;
    for (size_t i = 0; i < std::min(names.size(), names_shown_max); ++i)
        text += cat(i == 0 ? "" : ", ", quoted(names[i]));
    if (names.size() > names_shown_max)
        text += cat(" and ", names.size() - names_shown_max, " more");
    return text;
}

bool has_any(std::string_view name, const std::vector<std::string>& parts) {
    return std::ranges::any_of(
        parts, [&](const std::string& part) { return name.find(part) != std::string_view::npos; });
}

// Rows of embeddings are looked up, not multiplied, so they never have an importance.
bool wants_importance(const TensorPlan& tensor) {
    return !tensor.is_copy() && !is_float(tensor.type_id) &&
           role_of(tensor.source->name) != Role::embedding;
}

class Planner {
  public:
    Planner(const gguf::File& file, const Options& options)
        : file_(file),
          options_(options),
          places_(places_of(file, options.importance != nullptr)),
          tied_(file.find_tensor("output.weight") == nullptr) {}

    Result<Plan> run() {
        INGLE_ASSIGN(const LayerMap layers, map_layers(file_, options_.prune_layers));
        INGLE_ASSIGN(plan_.metadata, make_metadata(file_, options_, layers));
        for (size_t i = 0; i < file_.tensors().size(); ++i) {
            const gguf::TensorInfo& source = file_.tensors()[i];
            auto name = layers.renamed(source.name);
            if (!name) continue;
            INGLE_ASSIGN(TensorPlan tensor, plan_tensor(source, places_[i]));
            tensor.name = std::move(*name);
            plan_.tensors.push_back(std::move(tensor));
        }
        INGLE_TRY(compare_importance());
        warn_of_fallbacks();
        return std::move(plan_);
    }

  private:
    // The type by override, option or recipe, whether or not it fits the row.
    uint32_t wanted_type(const gguf::TensorInfo& source, Place place) const {
        if (options_.recipe == nullptr || !is_quantizable(source.name, source.rank))
            return source.type_id;
        if (options_.leave_output && place.role == Role::output) return source.type_id;
        if (source.name == "token_embd.weight" && options_.embedding_type)
            return *options_.embedding_type;
        if (tied_ && source.name == "token_embd.weight") place.role = Role::output;
        if (place.role == Role::output && options_.output_type) return *options_.output_type;
        for (const TypeOverride& entry : options_.overrides)
            if (entry.names.found_in(source.name)) return entry.type_id;
        if (options_.pure) return options_.recipe->base;
        return choose_type(*options_.recipe, place, source.dims[0]);
    }

    Result<TensorPlan> plan_tensor(const gguf::TensorInfo& source, const Place& place) {
        TensorPlan tensor;
        tensor.source = &source;
        tensor.wanted_type_id = wanted_type(source, place);
        tensor.type_id = tensor.wanted_type_id;
        const auto where = [&](Status status) {
            return std::move(status).in(cat("tensor ", quoted(source.name)));
        };
        if (source.dims[0] % gguf::find_tensor_type(tensor.type_id)->block_elements != 0) {
            auto fallback = fallback_for(tensor.type_id, source.dims[0]);
            if (fallback.ok() && !options_.allow_fallback)
                return where(fail(Code::invalid_argument, "rows of ", source.dims[0],
                                  " columns do not divide into the ",
                                  gguf::find_tensor_type(tensor.type_id)->block_elements,
                                  " of a block of ", name_of_type(tensor.type_id),
                                  "; it would become ", name_of_type(*fallback),
                                  ", which --no-fallback forbids"));
            if (!fallback.ok()) return where(std::move(fallback).status());
            tensor.type_id = *fallback;
        }
        auto bytes = gguf::tensor_bytes(tensor.type_id, source.shape());
        if (!bytes.ok()) return where(std::move(bytes).status());
        tensor.bytes = *bytes;
        if (!tensor.is_copy() && !is_float(tensor.type_id)) INGLE_TRY(where(attach(tensor)));
        return tensor;
    }

    // Finds the tensor's importance and holds it to the tensor's shape.
    Status attach(TensorPlan& tensor) const {
        if (options_.importance == nullptr) return {};
        const std::string& name = tensor.source->name;
        if (!options_.include.empty() && !has_any(name, options_.include)) return {};
        if (has_any(name, options_.exclude)) return {};
        const auto found = options_.importance->entries.find(name);
        if (found == options_.importance->entries.end()) return {};
        const auto& dims = tensor.source->dims;
        const auto fits = imatrix::means(found->second, dims[0], dims[2] * dims[3]);
        if (!fits.ok())
            return Status(fits.status()).in("the importance matrix is of another model");
        tensor.importance = &found->second;
        return {};
    }

    // Of another model if no name is known; what it lacks is told.
    Status compare_importance() {
        if (options_.importance == nullptr) return {};
        std::vector<std::string_view> without;
        size_t with = 0;
        for (const TensorPlan& tensor : plan_.tensors) {
            if (!wants_importance(tensor)) continue;
            if (tensor.importance != nullptr) {
                ++with;
            } else {
                without.push_back(tensor.source->name);
            }
        }
        if (without.empty()) return {};
        if (with == 0 && options_.include.empty() && options_.exclude.empty())
            return fail(Code::invalid_argument,
                        "the importance matrix is of another model: none of its ",
                        options_.importance->entries.size(), " names (",
                        quoted(options_.importance->entries.begin()->first),
                        ", ...) is that of a tensor to be quantized (", listed(without), ")");
        plan_.warnings.push_back(
            cat(without.size(),
                " tensors are quantized without importance, all columns alike: ", listed(without)));
        return {};
    }

    void warn_of_fallbacks() {
        std::vector<std::string_view> names;
        uint64_t bytes = 0, wanted_bits = 0;
        for (const TensorPlan& tensor : plan_.tensors) {
            if (!tensor.fell_back()) continue;
            names.push_back(tensor.source->name);
            bytes += tensor.bytes;
            const gguf::TensorType& wanted = *gguf::find_tensor_type(tensor.wanted_type_id);
            wanted_bits += tensor.source->elements() * wanted.block_bytes / wanted.block_elements;
        }
        if (names.empty()) return;
        plan_.warnings.push_back(cat(names.size(), " of ", plan_.tensors.size(),
                                     " tensors have rows that "
                                     "no block of the wanted type fits and get another: ",
                                     human_bytes(bytes), " instead of ", human_bytes(wanted_bits),
                                     ", the file has ", rounded_bits(plan_), " bits per weight"));
    }

    static std::string rounded_bits(const Plan& plan) {
        const double bits =
            8.0 * double(plan.bytes_after()) / double(std::max<uint64_t>(plan.elements(), 1));
        return cat(double(int64_t(bits * 100 + 0.5)) / 100);
    }

    const gguf::File& file_;
    const Options& options_;
    std::vector<Place> places_;
    bool tied_;
    Plan plan_;
};

template <class Of>
uint64_t total(const std::vector<TensorPlan>& tensors, Of of) {
    return std::accumulate(
        tensors.begin(), tensors.end(), uint64_t(0),
        [&](uint64_t sum, const TensorPlan& tensor) { return sum + of(tensor); });
}

}  // namespace

uint64_t Plan::bytes_before() const {
    return total(tensors, [](const TensorPlan& tensor) { return tensor.source->bytes; });
}
uint64_t Plan::bytes_after() const {
    return total(tensors, [](const TensorPlan& tensor) { return tensor.bytes; });
}
uint64_t Plan::elements() const {
    return total(tensors, [](const TensorPlan& tensor) { return tensor.source->elements(); });
}

Result<Plan> make_plan(const gguf::File& file, const Options& options) {
    return Planner(file, options).run();
}

Status check_plan(const Plan& plan, const Options& options) {
    std::vector<std::string_view> quantized, blind;
    for (const TensorPlan& tensor : plan.tensors) {
        if (tensor.is_copy()) continue;
        for (const uint32_t type : {tensor.source->type_id, tensor.type_id})
            if (quant::find_format(type) == nullptr)
                return fail(Code::unsupported, "tensor ", quoted(tensor.source->name),
                            ": this build cannot ", type == tensor.type_id ? "write " : "read ",
                            name_of_type(type));
        if (!is_float(tensor.source->type_id)) quantized.push_back(tensor.source->name);
        if (wants_importance(tensor) && tensor.importance == nullptr &&
            needs_importance(tensor.type_id, *options.recipe))
            blind.push_back(tensor.source->name);
    }
    if (!quantized.empty() && !options.allow_requantize)
        return fail(Code::invalid_argument, quantized.size(), " tensors are quantized already (",
                    listed(quantized),
                    "): quantizing them again loses more than starting from the 16-bit model; "
                    "--allow-requantize does it all the same");
    if (!blind.empty())
        return fail(Code::invalid_argument, options.recipe->name, " gives ", blind.size(),
                    " tensors types of so few bits that they are useless without importance: ",
                    listed(blind),
                    options.importance == nullptr
                        ? "; --imatrix FILE gives it (ingle imatrix makes one)"
                        : "; the importance matrix lacks them, --tensor-type "
                          "NAME=TYPE gives them more bits");
    return {};
}

}  // namespace ingle::quantize
