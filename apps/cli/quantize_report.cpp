#include "cli/quantize_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

#include "cli/json_writer.h"
#include "gguf/tensor_type.h"

namespace ingle::cli {

namespace {

std::string type_name(uint32_t type_id) {
    return std::string(gguf::find_tensor_type(type_id)->name);
}

double bits_per_weight(uint64_t bytes, uint64_t elements) {
    return elements == 0 ? 0 : 8.0 * double(bytes) / double(elements);
}

template <class... Arguments>
std::string printed(const char* format, Arguments... arguments) {
    std::array<char, 512> text;
    std::snprintf(text.data(), text.size(), format, arguments...);
    return text.data();
}

std::string shape_of(const gguf::TensorInfo& tensor) {
    std::string text;
    for (const uint64_t dim : tensor.shape()) text += cat(text.empty() ? "" : " x ", dim);
    return text;
}

std::string warnings_of(const quantize::Plan& plan) {
    std::string text;
    for (const std::string& warning : plan.warnings) text += "warning: " + warning + "\n";
    return text;
}

std::string sizes(uint64_t before, uint64_t after, uint64_t elements) {
    return printed("%s at %.2f bits per weight -> %s at %.2f", human_bytes(before).c_str(),
                   bits_per_weight(before, elements), human_bytes(after).c_str(),
                   bits_per_weight(after, elements));
}

// The error of a tensor relative to its values.
double relative_rmse(double squared_error, double squared_value) {
    return squared_value > 0 ? std::sqrt(squared_error / squared_value) : 0;
}

void write_sums(JsonWriter& json, const quantize::Plan& plan) {
    json.member("bytes_before", plan.bytes_before()).member("bytes_after", plan.bytes_after());
    json.member("bits_per_weight", bits_per_weight(plan.bytes_after(), plan.elements()));
    json.key("warnings").begin_array();
    for (const std::string& warning : plan.warnings) json.value(warning);
    json.end_array();
}

void write_tensor(JsonWriter& json, const quantize::TensorPlan& tensor) {
    json.begin_object().member("name", tensor.name).key("shape").begin_array();
    for (const uint64_t dim : tensor.source->shape()) json.value(dim);
    json.end_array();
    json.member("type_before", type_name(tensor.source->type_id));
    json.member("type_after", type_name(tensor.type_id));
    json.member("bytes_before", tensor.source->bytes).member("bytes_after", tensor.bytes);
    json.member("importance", tensor.importance != nullptr);
    if (tensor.fell_back()) json.member("fallback_from", type_name(tensor.wanted_type_id));
}

struct Group {
    size_t tensors = 0;
    uint64_t elements = 0, bytes_before = 0, bytes_after = 0;
    double seconds = 0, squared_error = 0, squared_value = 0;
    bool converted = false;
};

std::map<std::string, Group> groups_of(const quantize::Report& report) {
    std::map<std::string, Group> groups;
    for (const quantize::TensorReport& tensor : report.tensors) {
        const bool copied = tensor.type_before == tensor.type_after;
        Group& group = groups[type_name(tensor.type_before) +
                              (copied ? " as it was" : " -> " + type_name(tensor.type_after))];
        ++group.tensors;
        group.elements += tensor.elements;
        group.bytes_before += tensor.bytes_before;
        group.bytes_after += tensor.bytes_after;
        group.seconds += tensor.seconds;
        group.squared_error += tensor.squared_error;
        group.squared_value += tensor.squared_value;
        group.converted = !copied;
    }
    return groups;
}

}  // namespace

std::string text_of_plan(const quantize::Plan& plan) {
    std::string text;
    size_t number = 0;
    for (const quantize::TensorPlan& tensor : plan.tensors) {
        const std::string before = type_name(tensor.source->type_id);
        text += printed("[%4zu/%4zu] %-36s %-22s %-8s %10s", ++number, plan.tensors.size(),
                        tensor.name.c_str(), shape_of(*tensor.source).c_str(), before.c_str(),
                        human_bytes(tensor.source->bytes).c_str());
        if (!tensor.is_copy())
            text += printed(" -> %-8s %10s", type_name(tensor.type_id).c_str(),
                            human_bytes(tensor.bytes).c_str());
        if (tensor.fell_back()) text += "  instead of " + type_name(tensor.wanted_type_id);
        text += '\n';
    }
    return text + warnings_of(plan) +
           sizes(plan.bytes_before(), plan.bytes_after(), plan.elements()) + "\n";
}

std::string json_of_plan(const quantize::Plan& plan, const std::string& path) {
    JsonWriter json(1);
    json.begin_object().member("file", path);
    write_sums(json, plan);
    json.key("tensors").begin_array();
    for (const quantize::TensorPlan& tensor : plan.tensors) {
        write_tensor(json, tensor);
        json.end_object();
    }
    json.end_array().end_object();
    return json.text() + "\n";
}

std::string text_of_report(const quantize::Report& report) {
    std::string text =
        "tensors  types                        before       after   bits  error    time\n";
    Group all;
    for (const auto& [name, group] : groups_of(report)) {
        const std::string error =
            group.converted
                ? printed("%5.2f%%", 100 * relative_rmse(group.squared_error, group.squared_value))
                : "     -";
        text += printed(
            "%7zu  %-24s %10s  %10s  %5.2f %s %6.1fs\n", group.tensors, name.c_str(),
            human_bytes(group.bytes_before).c_str(), human_bytes(group.bytes_after).c_str(),
            bits_per_weight(group.bytes_after, group.elements), error.c_str(), group.seconds);
        all.elements += group.elements;
        all.bytes_before += group.bytes_before;
        all.bytes_after += group.bytes_after;
    }
    text += sizes(all.bytes_before, all.bytes_after, all.elements);
    text += printed(", %.1f s\n", report.seconds);
    for (const auto& file : report.files) text += "wrote " + file.string() + "\n";
    return text;
}

std::string json_of_report(const quantize::Plan& plan, const quantize::Report& report) {
    JsonWriter json(1);
    json.begin_object().key("files").begin_array();
    for (const auto& file : report.files) json.value(file.string());
    json.end_array().member("file_bytes", report.file_bytes).member("seconds", report.seconds);
    write_sums(json, plan);
    std::map<std::string, const quantize::TensorPlan*> planned;
    for (const quantize::TensorPlan& tensor : plan.tensors) planned[tensor.name] = &tensor;
    json.key("tensors").begin_array();
    for (const quantize::TensorReport& tensor : report.tensors) {
        write_tensor(json, *planned.at(tensor.name));
        json.member("seconds", tensor.seconds).key("relative_rmse");
        if (tensor.type_before == tensor.type_after) {
            json.null();
        } else {
            json.value(relative_rmse(tensor.squared_error, tensor.squared_value));
        }
        json.end_object();
    }
    json.end_array().end_object();
    return json.text() + "\n";
}

}  // namespace ingle::cli
