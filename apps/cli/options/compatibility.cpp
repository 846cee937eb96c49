#include "cli/options/compatibility.h"

#include "base/log.h"
#include "cli/spelling.h"

namespace ingle::cli {

namespace {

enum class Effect {
    gpu,      // none: this build computes on the CPU
    settled,  // none: the engine does it always, never, or by itself
    refused,  // would change the answer
};

struct Foreign {
    const char* name;
    const char* flags;
    const char* placeholder;  // empty for a bool
    Effect effect;
    const char* reason;
    const char* environment = "";
    const char* implied = "";
};

constexpr char cpu_only[] = "this build computes on the CPU only";
constexpr char one_pool[] = "prompts are computed by the same threads as answers";
constexpr char from_file[] = "the position encoding is taken from the model's file";
constexpr char no_download[] = "models come from a hub: -m user/repo:TYPE, or a file";

constexpr Foreign table[] = {
    {"gpu_layers", "-ngl,--gpu-layers,--n-gpu-layers", "N", Effect::gpu, cpu_only, "N_GPU_LAYERS"},
    {"device", "-dev,--device", "LIST", Effect::gpu, cpu_only},
    {"split_mode", "-sm,--split-mode", "MODE", Effect::gpu, cpu_only},
    {"tensor_split", "-ts,--tensor-split", "LIST", Effect::gpu, cpu_only},
    {"main_gpu", "-mg,--main-gpu", "N", Effect::gpu, cpu_only},
    {"override_tensor", "-ot,--override-tensor", "LIST", Effect::gpu, cpu_only},
    {"cpu_moe", "-cmoe,--cpu-moe", "", Effect::gpu, cpu_only},
    {"n_cpu_moe", "-ncmoe,--n-cpu-moe", "N", Effect::gpu, cpu_only},
    {"n_cpu_ffn", "-ncffn,--n-cpu-ffn", "N", Effect::gpu, cpu_only},
    {"fit", "-fit,--fit", "WHEN", Effect::gpu, cpu_only},
    {"fit_target", "-fitt,--fit-target", "LIST", Effect::gpu, cpu_only},
    {"fit_ctx", "-fitc,--fit-ctx", "N", Effect::gpu, cpu_only},
    {"kv_offload", "-kvo,--kv-offload,!-nkvo,!--no-kv-offload", "", Effect::gpu, cpu_only},
    {"op_offload", "--op-offload,!--no-op-offload,!-nopo", "", Effect::gpu, cpu_only},
    {"no_host", "--no-host", "", Effect::gpu, cpu_only},
    {"backend_sampling", "-bs,--backend-sampling", "", Effect::gpu, cpu_only},
    {"flash_attn", "-fa,--flash-attn", "WHEN", Effect::settled,
     "attention is always computed in tiles", "", "on"},
    {"batch", "-b,--batch-size", "N", Effect::settled,
     "-ub sets how many tokens are computed at once"},
    {"cpu_mask_batch", "-Cb,--cpu-mask-batch", "MASK", Effect::settled, one_pool},
    {"cpu_range_batch", "-Crb,--cpu-range-batch", "RANGE", Effect::settled, one_pool},
    {"cpu_strict_batch", "--cpu-strict-batch", "N", Effect::settled, one_pool},
    {"prio_batch", "--prio-batch", "N", Effect::settled, one_pool},
    {"poll_batch", "--poll-batch", "N", Effect::settled, one_pool},
    {"mlock", "--mlock", "", Effect::settled, "nothing is locked; weights lie in ordinary memory if not asked otherwise"},
    {"mmap", "--mmap,!--no-mmap", "", Effect::settled,
     "weights are read into memory; --no-repack uses them where the file is mapped"},
    {"direct_io", "-dio,--direct-io,!-ndio,!--no-direct-io", "", Effect::settled,
     "how a file is read is chosen for you"},
    {"load_mode", "-lm,--load-mode", "MODE", Effect::settled,
     "how a file is read is chosen for you"},
    {"lazy_mode", "-lzm,--lazy-mode", "MODE", Effect::settled,
     "how a file is read is chosen for you"},
    {"warmup", "--warmup,!--no-warmup", "", Effect::settled, "there is nothing to warm up"},
    {"kv_unified", "-kvu,--kv-unified,!-no-kvu,!--no-kv-unified", "", Effect::settled, "pages are shared as they are needed"},
    {"cache_ram", "-cram,--cache-ram", "N", Effect::settled, "kept prefixes lie in the cache's own pages"},
    {"cache_idle_slots", "--cache-idle-slots,!--no-cache-idle-slots", "", Effect::settled, "what ran in a slot stays in the cache's pages while there is room"},
    {"ctx_checkpoints", "-ctxcp,--ctx-checkpoints,--swa-checkpoints", "N", Effect::settled, "kept prefixes need no checkpoints"},
    {"cache_reuse", "--cache-reuse", "N", Effect::settled, "prefixes are found by their tokens"},
    {"slot_prompt_similarity", "-sps,--slot-prompt-similarity", "P", Effect::settled, "prefixes are found by their tokens"},
    {"defrag_thold", "-dt,--defrag-thold", "N", Effect::settled, "pages need no defragmenting"},
    {"cont_batching", "-cb,--cont-batching,!-nocb,!--no-cont-batching", "", Effect::settled,
     "there is one sequence"},
    {"parallel", "-np,--parallel", "N", Effect::settled, "there is one sequence"},
    {"hf_file", "-hff,--hf-file", "FILE", Effect::refused,
     "name the file behind its repository: -m user/repo/file.gguf"},
    {"model_url", "-mu,--model-url", "URL", Effect::refused, no_download},
    {"docker_repo", "-dr,--docker-repo", "REPO", Effect::refused, no_download},
    {"rpc", "--rpc", "LIST", Effect::refused, "other machines are not used"},
    {"lora", "--lora", "FILE", Effect::refused, "adapters are not supported yet"},
    {"lora_scaled", "--lora-scaled", "LIST", Effect::refused, "adapters are not supported yet"},
    {"control_vector", "--control-vector", "FILE", Effect::refused,
     "control vectors are not supported yet"},
    {"mmproj", "-mm,--mmproj", "FILE", Effect::refused, "images and sound are not supported yet"},
    {"model_draft", "-md,--model-draft", "FILE", Effect::refused,
     "speculative decoding is not supported yet", "MODEL_DRAFT"},
    {"tools", "--tools", "LIST", Effect::refused, "tools are run by clients, not by the server"},
    {"ui_mcp_proxy", "--ui-mcp-proxy", "", Effect::refused, "the server fetches nothing for web pages"},
    {"media_path", "--media-path", "FOLDER", Effect::refused, "images and sound are not supported yet"},
    {"override_kv", "--override-kv", "LIST", Effect::refused,
     "the model's file is taken as it is"},
    {"rope_scaling", "--rope-scaling", "MODE", Effect::refused, from_file, "ROPE_SCALING_TYPE"},
    {"rope_scale", "--rope-scale", "N", Effect::refused, from_file},
    {"rope_freq_base", "--rope-freq-base", "N", Effect::refused, from_file},
    {"rope_freq_scale", "--rope-freq-scale", "N", Effect::refused, from_file},
};

std::string group_of(Effect effect) {
    switch (effect) {
        case Effect::gpu: return "Accepted, for a GPU";
        case Effect::settled: return "Accepted, without effect";
        case Effect::refused: return "Known, but refused";
    }
    return "";
}

}  // namespace

std::vector<Option> compatibility_options() {
    std::vector<Option> options;
    for (const Foreign& foreign : table) {
        Option option = {.name = foreign.name, .flags = foreign.flags,
                         .placeholder = foreign.placeholder, .default_value = std::string(),
                         .help = foreign.reason};
        if (option.placeholder.empty()) option.default_value = false;
        option.environment = foreign.environment;
        option.implied = foreign.implied;
        if (!option.implied.empty()) option.choices = {"on", "off", "auto", "1", "0"};
        option.group = group_of(foreign.effect);
        options.push_back(std::move(option));
    }
    return options;
}

Status check_compatibility(const OptionValues& values) {
    for (const Foreign& foreign : table) {
        // A verb may declare a flag of this name with a meaning of its own.
        const Option* const declared = values.find(foreign.name);
        if (declared == nullptr || declared->group != group_of(foreign.effect)) continue;
        if (!values.given(foreign.name)) continue;
        const std::string flag = spellings_of(*values.find(foreign.name)).front().text;
        if (foreign.effect == Effect::refused)
            return fail(Code::invalid_argument, flag, ": ", foreign.reason);
        log(LogLevel::notice, "notice: ", flag, " has no effect: ", foreign.reason);
    }
    return {};
}

}  // namespace ingle::cli
