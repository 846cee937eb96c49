#include "cli/options/engine.h"

#include <algorithm>

#include "base/byte_size.h"
#include "base/cpu_info.h"
#include "base/log.h"
#include "base/platform.h"
#include "cli/model_file.h"
#include "cli/options/model.h"
#include "cli/options/placement.h"
#include "cli/options/storage.h"
#include "cli/terminal.h"
#include "container/check.h"
#include "engine/answer.h"
#include "evaluate/kv_probe.h"
#include "sampling/options.h"
#include "sampling/recommended.h"

namespace ingle::cli {

namespace {

constexpr char group[] = "Engine";
constexpr std::string_view chosen_by_trying = "auto";
constexpr std::string_view recommended_prefix = "general.sampling.";

std::vector<std::string> kv_type_names() {
    std::vector<std::string> names;
    for (const KvTypeInfo& type : all_kv_types()) names.emplace_back(type.name);
    names.emplace_back(chosen_by_trying);
    return names;
}

// As given, or nothing for `auto`. The option's choices are the names of the types.
std::optional<KvType> given_type(const OptionValues& values, std::string_view name) {
    return find_kv_type(values.text(name));
}

Option cache_type(const char* name, const char* flags, const char* help) {
    return {.name = name,
            .flags = flags,
            .placeholder = "TYPE",
            .default_value = std::string("f16"),
            .help = help,
            .choices = kv_type_names(),
            .group = group};
}


// Numbers of any GGUF type in the form that sampling takes; nothing for arrays.
std::optional<OptionValue> option_value_of(const gguf::Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return OptionValue(*text);
    if (const auto integer = gguf::as<int64_t>(value); integer.ok()) return OptionValue(*integer);
    if (const auto real = gguf::as<double>(value); real.ok()) return OptionValue(*real);
    return std::nullopt;
}

void take_all_recommended(OptionValues& values, const gguf::File& file) {
    for (const auto& [key, value] : file.metadata().entries()) {
        if (!key.starts_with(recommended_prefix)) continue;
        const auto usable = option_value_of(value);
        if (!usable) continue;
        const auto taken =
            sampling::take_recommended(values, key.substr(recommended_prefix.size()), *usable);
        if (!taken.ok())
            log(LogLevel::warning, "the model's recommended setting ", key, " is not used: ",
                taken.status().message());
    }
}

}  // namespace

std::vector<Option> engine_options() {
    std::vector<Option> options = {
        {.name = "ctx_size", .flags = "-c,--ctx-size", .placeholder = "N",
         .default_value = int64_t(0),
         .help = "tokens of context; 0: as many as the model was trained on, or as fit in memory",
         .min = 0, .max = double(1 << 30), .group = group},
        {.name = "threads", .flags = "-t,--threads", .placeholder = "N",
         .default_value = int64_t(-1),
         .help = "threads that compute; -1: as many as this machine grants (see ingle doctor)",
         .min = -1, .max = 4095, .group = group},
        {.name = "threads_batch", .flags = "-tb,--threads-batch", .placeholder = "N",
         .default_value = int64_t(-1), .help = "threads that compute prompts; -1: as many as -t",
         .min = -1, .max = 4095, .group = group},
        {.name = "ubatch", .flags = "-ub,--ubatch-size", .placeholder = "N",
         .default_value = int64_t(512), .help = "tokens of a prompt computed at once", .min = 1,
         .max = 65536, .group = group},
        cache_type("cache_type_k", "-ctk,--cache-type-k", "how keys are stored; auto: in as few bits as this model bears, found by trying it"),
        cache_type("cache_type_v", "-ctv,--cache-type-v", "how values are stored; auto: likewise"),
        {.name = "swa_full", .flags = "--swa-full", .placeholder = "", .default_value = false,
         .help = "layers with a sliding window keep what has left it, too: going back further is "
                 "quick, for more memory",
         .group = group},
        {.name = "context_shift", .flags = "--context-shift,!--no-context-shift", .placeholder = "",
         .default_value = false,
         .help = "when the context is full, forget its oldest tokens and go on", .group = group},
        {.name = "keep", .flags = "--keep", .placeholder = "N", .default_value = int64_t(0),
         .help = "tokens at the start that a shift never forgets, at least 32; -1: the prompt", .min = -1,
         .max = double(1 << 30), .group = group},
        {.name = "shift_tokens", .flags = "--shift-tokens", .placeholder = "N",
         .default_value = int64_t(0),
         .help = "tokens that one shift forgets; 0: half of what may go; 32: a window that slides",
         .min = 0, .max = double(1 << 30), .group = group},
        {.name = "memory", .flags = "--memory", .placeholder = "SIZE", .default_value = std::string(),
         .help = "memory that may be used in all, like 6G or 800M; what does not fit is made smaller "
                 "or refused",
         .group = group},
        {.name = "precise", .flags = "--precise", .placeholder = "", .default_value = false,
         .help = "round activations to 16 bits instead of 8: slower, closer to the exact result",
         .group = group},
        {.name = "reference", .flags = "--reference", .placeholder = "", .default_value = false,
         .help = "compute with plain kernels in f32: slow and exact", .group = group},
        offline_option(),
        {.name = "check_tensors", .flags = "--check-tensors", .placeholder = "",
         .default_value = false,
         .help = "first decode every block of the file; refuse NaN and infinity", .group = group},
    };
    for (Option& option : storage_options()) options.push_back(std::move(option));
    for (Option& option : placement_options()) options.push_back(std::move(option));
    return options;
}

Status check_all_tensors(const std::string& path, int threads) {
    INGLE_ASSIGN(const auto file, open_model(path));
    std::string reason;
    ThreadPool pool(threads > 0 ? threads : default_thread_count(&reason));
    ProgressBar bar("Checking");
    const auto progress = [&bar](uint64_t done, uint64_t total) {
        bar.show(done, total);
        return platform::interrupts() > 0 ? fail(Code::cancelled, "interrupted") : Status();
    };
    INGLE_ASSIGN(const auto report, container::check_tensors(file, pool, progress));
    return status_of(report).in(path);
}

Status limit_memory(const OptionValues& values) {
    if (values.find("memory") == nullptr || values.text("memory").empty()) return {};
    const std::optional<uint64_t> bytes = parse_bytes(values.text("memory"));
    if (!bytes)
        return fail(Code::invalid_argument, "--memory: expected a size like 6G, 800M or 1.5GiB, found ",
                    quoted(values.text("memory")));
    platform::limit_memory(*bytes);
    return {};
}

Result<std::shared_ptr<const Model>> load_model(const Invocation& invocation) {
    INGLE_ASSIGN(const std::string path, model_path(invocation, true));
    return load_model(invocation.values, path,
                      int(std::max<int64_t>(invocation.values.integer("threads"), 0)));
}

Result<std::shared_ptr<const Model>> load_model(const OptionValues& values, const std::string& path,
                                                int threads) {
    INGLE_ASSIGN(RuntimeOptions runtime, runtime_options(values));
    runtime.threads = threads;
    INGLE_TRY(limit_memory(values));
    if (values.flag("check_tensors")) INGLE_TRY(check_all_tensors(path, threads));
    ProgressBar bar("Loading");
    ModelOptions options;
    options.path = path;
    options.progress = [&bar](uint64_t done, uint64_t total) {
        bar.show(done, total);
        return platform::interrupts() == 0;
    };
    auto model = Model::load(Runtime::make(runtime), options);
    if (!model.ok()) return naming_file(std::move(model).status(), path);
    return model;
}

Result<RuntimeOptions> runtime_options(const OptionValues& values) {
    RuntimeOptions runtime;
    // A benchmark has lists of threads.
    const Option* const threads = values.find("threads");
    if (threads != nullptr && std::holds_alternative<int64_t>(threads->default_value))
        runtime.threads = int(std::max<int64_t>(values.integer("threads"), 0));
    runtime.threads_batch = int(std::max<int64_t>(values.integer("threads_batch"), 0));
    runtime.reference = values.flag("reference");
    runtime.precise = values.flag("precise");
    INGLE_ASSIGN(runtime.placement, thread_placement(values));
    INGLE_ASSIGN(runtime.storage, storage_of(values));
    return runtime;
}

SessionOptions session_options(const OptionValues& values) {
    SessionOptions options;
    // A benchmark knows its own length and does not declare the option.
    if (values.find("ctx_size") != nullptr) options.context_tokens = values.integer("ctx_size");
    options.chunk_tokens = values.integer("ubatch");
    if (values.find("context_shift") != nullptr) {
        options.context_shift = values.flag("context_shift");
        options.shift.keep_tokens = values.integer("keep");
        options.shift.drop_tokens = values.integer("shift_tokens");
    }
    options.key_type = given_type(values, "cache_type_k").value_or(KvType::f16);
    options.value_type = given_type(values, "cache_type_v").value_or(KvType::f16);
    options.full_windows = values.flag("swa_full");
    return options;
}

bool chooses_cache_type(const OptionValues& values) {
    return !given_type(values, "cache_type_k") || !given_type(values, "cache_type_v");
}

Result<SessionOptions> session_options(const OptionValues& values,
                                       const std::shared_ptr<const Model>& model) {
    SessionOptions options = session_options(values);
    if (!chooses_cache_type(values)) return options;
    INGLE_ASSIGN(const evaluate::KvProbe probe,
                 evaluate::probe_kv_types(model, given_type(values, "cache_type_k"),
                                          given_type(values, "cache_type_v")));
    log(LogLevel::notice, "cache types: ", probe.text());
    options.key_type = probe.keys;
    options.value_type = probe.values;
    return options;
}

OptionValues sampling_defaults(const OptionValues& values, const gguf::File& file) {
    OptionValues defaults(sampling::sampling_options());
    const std::vector<Option> options = defaults.options();
    for (const Option& option : options) {
        if (!values.given(option.name)) continue;
        const std::string& name = option.name;
        Status taken;
        if (std::holds_alternative<bool>(option.default_value)) taken = defaults.set(name, values.flag(name));
        else if (std::holds_alternative<int64_t>(option.default_value)) taken = defaults.set(name, values.integer(name));
        else if (std::holds_alternative<double>(option.default_value)) taken = defaults.set(name, values.real(name));
        else if (std::holds_alternative<std::string>(option.default_value)) taken = defaults.set(name, values.text(name));
        else taken = defaults.set(name, values.list(name));
        if (!taken.ok()) log(LogLevel::warning, taken.message());
    }
    take_all_recommended(defaults, file);
    return defaults;
}

Result<sampling::Chain> make_chain(OptionValues values, const Session& session) {
    take_all_recommended(values, session.model().file());
    const Model& model = session.model();
    return sampling::Chain::make(values, vocabulary_of(*model.tokenizer(), model.vocab()),
                                 session.context_tokens());
}

}  // namespace ingle::cli
