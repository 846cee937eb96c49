// ingle doctor: what this machine offers and what the command makes of it.
#include <cstdio>

#include "backend/cpu/repack_cache.h"
#include "base/simd/isa.h"
#include "base/cpu_info.h"
#include "base/platform.h"
#include "cli/help.h"
#include "cli/json_writer.h"
#include "cli/options/model.h"
#include "cli/options/storage.h"
#include "models/support/architecture.h"
#include "quant/support/format.h"
#include "sampling/sampler.h"

namespace ingle::cli {

namespace {

struct Findings {
    std::string processor = cpu_model_name();
    std::string features = to_string(cpu_features());
    CpuLimits limits = cpu_limits();
    std::string threads_reason;
    int threads = default_thread_count(&threads_reason);
    std::string_view kernels = cpu::to_string(cpu::best_isa());
    uint64_t memory_total = platform::total_memory_bytes();
    uint64_t memory_available = platform::available_memory_bytes();
    std::filesystem::path repacked_folder;
    size_t repacked_files = 0;
    uint64_t repacked_bytes = 0;

    explicit Findings(const OptionValues& values) : repacked_folder(repack_cache_folder(values)) {
        if (repacked_folder.empty()) repacked_folder = default_repack_cache();
        for (const cpu::CachedRepack& file : cpu::list_repack_cache(repacked_folder)) {
            ++repacked_files;
            repacked_bytes += file.bytes;
        }
    }
};

std::vector<Option> options() {
    return {json_option(), repack_cache_option("the folder of repacked weights to look at")};
}

std::string names_of_kernels() {
    std::string names;
    for (const cpu::Isa isa : cpu::supported_isas())
        names += cat(names.empty() ? "" : " ", cpu::to_string(isa));
    return names;
}

// What this build knows, by the registries' own words.
struct Parts {
    const char* title;
    std::vector<std::string_view> names;
};

std::vector<Parts> parts_of_this_build() {
    Parts formats = {"formats", {}};
    for (const quant::FormatInfo& format : quant::all_formats()) formats.names.push_back(format.name);
    Parts architectures = {"architectures", {}};
    for (const models::Architecture* const architecture : models::all_architectures())
        for (const std::string_view name : architecture->names) architectures.names.push_back(name);
    Parts samplers = {"samplers", {}};
    for (const sampling::SamplerKind* const kind : sampling::sampler_kinds())
        samplers.names.push_back(kind->name);
    return {formats, architectures, samplers};
}

std::string text_of(const Findings& found) {
    std::string out = version_line() + "\n\n";
    out += cat("Processor   ", found.processor, "\n            ", found.features, "\n");
    out += cat("Kernels     ", found.kernels, " (this processor can run: ", names_of_kernels(),
               "; INGLE_ISA chooses)\n");
    out += cat("Threads     ", found.threads_reason, "\n");
    out += cat("Memory      ", human_bytes(found.memory_available), " free for use of ",
               human_bytes(found.memory_total), "\n");
    out += cat("Repacked    ", human_bytes(found.repacked_bytes), " in ", found.repacked_files,
               found.repacked_files == 1 ? " file of " : " files of ",
               found.repacked_folder.string(), " (--repack-cache)\n");
    for (const Parts& parts : parts_of_this_build()) {
        out += cat("\nThis build's ", parts.title, ":\n ");
        for (const std::string_view name : parts.names) out += cat(" ", name);
    }
    return out + "\n";
}

std::string json_of(const Findings& found) {
    JsonWriter json(2);
    json.begin_object().member("version", std::string_view(version_line()));
    json.member("processor", std::string_view(found.processor));
    json.member("features", std::string_view(found.features));
    json.member("kernels", found.kernels).key("kernels_supported").begin_array();
    for (const cpu::Isa isa : cpu::supported_isas()) json.value(cpu::to_string(isa));
    json.end_array().member("threads", found.threads);
    json.member("threads_reason", std::string_view(found.threads_reason));
    json.member("processors", found.limits.logical).member("cores", found.limits.physical_cores);
    json.member("processors_allowed", found.limits.affinity).key("quota");
    if (found.limits.quota) json.value(*found.limits.quota);
    else json.null();
    json.member("memory_total", found.memory_total);
    json.member("memory_available", found.memory_available);
    json.member("repack_cache", std::string_view(found.repacked_folder.string()));
    json.member("repack_cache_files", found.repacked_files).member("repack_cache_bytes", found.repacked_bytes);
    for (const Parts& parts : parts_of_this_build()) {
        json.key(parts.title).begin_array();
        for (const std::string_view name : parts.names) json.value(name);
        json.end_array();
    }
    return json.end_object().text() + "\n";
}

Status run(const Invocation& invocation) {
    const Findings found(invocation.values);
    const std::string report = invocation.values.flag("json") ? json_of(found) : text_of(found);
    std::fputs(report.c_str(), stdout);
    return {};
}

}  // namespace

namespace entries {
extern const Verb doctor;
const Verb doctor = {
    .name = "doctor",
    .group = "This command",
    .summary = "show what this machine offers and which kernels are used",
    .arguments = "",
    .about = "",
    .options = options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
