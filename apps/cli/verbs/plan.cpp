// ingle plan: the memory that running a model takes, before its weights are read.
#include <algorithm>
#include <cstdio>

#include "base/byte_size.h"
#include "base/platform.h"
#include "base/log.h"
#include "cli/json_writer.h"
#include "cli/model_file.h"
#include "cli/options/compatibility.h"
#include "cli/options/engine.h"
#include "cli/options/model.h"
#include "engine/plan.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() {
    std::vector<Option> all = {
        model_option(), json_option(),
        {.name = "parallel", .flags = "-np,--parallel", .placeholder = "N",
         .default_value = int64_t(1), .help = "sequences at once", .min = 1, .max = 4096,
         .group = "Engine"},
        {.name = "prefix_memory", .flags = "--prefix-memory", .placeholder = "SIZE",
         .default_value = std::string("0"),
         .help = "for prefixes that are kept though no one uses them, like 2G", .group = "Engine"}};
    const auto add = [&all](std::vector<Option> more) {
        for (Option& option : more) {
            const bool known = std::ranges::find(all, option.name, &Option::name) != all.end();
            if (!known) all.push_back(std::move(option));
        }
    };
    add(engine_options());
    add(compatibility_options());
    return all;
}

std::string row(std::string_view name, uint64_t bytes, std::string_view note = {}) {
    char text[64];
    std::snprintf(text, sizeof(text), "%-12s %12s", std::string(name).c_str(),
                  human_bytes(bytes).c_str());
    return cat(text, note.empty() ? "" : "   ", note, "\n");
}

std::string text_of(const Plan& plan) {
    std::string out = row("program", plan.program, "code, vocabulary and graph, as they are now");
    out += row("weights", plan.weights);
    if (plan.mapped > 0)
        out += row("  mapped", plan.mapped, "from files, shared between processes; not part of the total");
    out += row("KV cache", plan.kv,
               cat(plan.sequences, plan.sequences == 1 ? " sequence of " : " sequences of ",
                   plan.context_tokens, " tokens"));
    if (plan.window_tokens > 0)
        out += cat("               of which layers with a sliding window keep the last ",
                   plan.window_tokens, " tokens and some pages (--swa-full: all)\n");
    if (plan.exact > 0) out += row("  in f16", plan.exact, "first and open pages, at most");
    if (plan.prefix > 0) out += row("prefixes", plan.prefix, "at most");
    out += row("activations", plan.compute.activations,
               cat("steps of ", plan.chunk_tokens, " tokens"));
    out += row("scratch", plan.compute.scratch);
    out += row("total", plan.total(), cat("of ", human_bytes(plan.available), " that may be used"));
    out += cat("\nlayer             weights       KV cache", plan.mapped > 0 ? "         mapped\n" : "\n");
    for (const PlannedLayer& layer : plan.layers) {
        char text[96];
        std::snprintf(text, sizeof(text), "%-12s %12s   %12s",
                      layer.index == none ? "others" : std::to_string(layer.index).c_str(),
                      human_bytes(layer.weights).c_str(), human_bytes(layer.kv).c_str());
        out += text;
        if (plan.mapped > 0) {
            std::snprintf(text, sizeof(text), "   %12s", human_bytes(layer.mapped).c_str());
            out += text;
        }
        out += "\n";
    }
    return out;
}

std::string json_of(const Plan& plan) {
    JsonWriter json(2);
    json.begin_object();
    json.member("context_tokens", plan.context_tokens).member("sequences", plan.sequences);
    json.member("chunk_tokens", plan.chunk_tokens);
    json.member("program_bytes", plan.program).member("weight_bytes", plan.weights);
    json.member("mapped_weight_bytes", plan.mapped);
    json.member("kv_bytes", plan.kv).member("kv_exact_bytes", plan.exact);
    json.member("window_tokens", plan.window_tokens);
    json.member("prefix_bytes", plan.prefix);
    json.member("activation_bytes", plan.compute.activations);
    json.member("scratch_bytes", plan.compute.scratch).member("total_bytes", plan.total());
    json.member("available_bytes", plan.available).member("fits", plan.fits());
    json.key("layers").begin_array();
    for (const PlannedLayer& layer : plan.layers) {
        json.begin_object().key("layer");
        if (layer.index == none) json.null();
        else json.value(layer.index);
        json.member("weight_bytes", layer.weights).member("mapped_weight_bytes", layer.mapped);
        json.member("kv_bytes", layer.kv).end_object();
    }
    json.end_array().end_object();
    return json.text() + "\n";
}

Status run(const Invocation& invocation) {
    const OptionValues& values = invocation.values;
    INGLE_ASSIGN(const std::string path, model_path(invocation, true));
    INGLE_TRY(limit_memory(values));
    INGLE_TRY(check_compatibility(values));
    const auto prefix = parse_bytes(values.text("prefix_memory"));
    if (!prefix)
        return fail(Code::invalid_argument, "--prefix-memory: expected a size like 2G, found ",
                    quoted(values.text("prefix_memory")));
    ModelOptions outline;
    outline.path = path;
    outline.outline = true;
    INGLE_ASSIGN(const RuntimeOptions runtime, runtime_options(values));
    auto model = Model::load(Runtime::make(runtime), outline);
    if (!model.ok()) return naming_file(std::move(model).status(), path);
    SessionOptions session = session_options(values);
    if (chooses_cache_type(values))
        log(LogLevel::notice, "auto: a cache type can only be chosen by trying the model; this plan counts "
                            "f16, the most that it can take");
    session.sequences = values.integer("parallel");
    session.outputs_max = session.sequences;
    INGLE_ASSIGN(const Plan plan, make_plan(**model, session, *prefix));
    std::fputs(values.flag("json") ? json_of(plan).c_str() : text_of(plan).c_str(), stdout);
    if (plan.fits()) return {};
    return fail(Code::out_of_memory, "this needs ", human_bytes(plan.total()), ", but only ",
                human_bytes(plan.available), " may be used");
}

}  // namespace

namespace entries {
extern const Verb plan;
const Verb plan = {
    .name = "plan",
    .group = "Look inside",
    .summary = "show what memory running a model takes",
    .arguments = "[FILE]",
    .about = "  ingle plan MODEL.gguf -c 32768 -np 8 -ctk q8_0 -ctv q8_0\n"
             "  ingle plan MODEL.gguf --memory 6G --json\n"
             "Nothing is loaded: the model is compiled as it would be, and what it would take is counted.\n",
    .options = options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
