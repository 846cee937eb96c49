#include "cli/options/serve_models.h"

namespace ingle::cli {

namespace {

constexpr char group[] = "Models";

}  // namespace

std::vector<Option> serve_model_options() {
    return {
        {.name = "model", .flags = "-m,--model", .placeholder = "FILE",
         .default_value = std::vector<std::string>(),
         .help = "the model, a GGUF file, of a split model any part; or user/repo:TYPE, downloaded when first used; "
                 "several: requests choose by name",
         .group = group},
        {.name = "hf_repo", .flags = "-hf,-hfr,--hf-repo", .placeholder = "REPO",
         .default_value = std::string(), .help = "the same as -m user/repo:TYPE", .group = group},
        {.name = "models_dir", .flags = "--models-dir", .placeholder = "FOLDER", .default_value = std::string(),
         .help = "serve every model of this folder: its GGUF files, and folders with the parts of one", .group = group},
        {.name = "models_preset", .flags = "--models-preset", .placeholder = "FILE",
         .default_value = std::string(),
         .help = "models with flags of their own: an INI file, a section each, [*] for all", .group = group},
        {.name = "models_max", .flags = "--models-max", .placeholder = "N", .default_value = int64_t(4),
         .help = "models in memory at once; 0: as many as fit", .min = 0, .max = 1000, .group = group},
        {.name = "models_autoload", .flags = "--models-autoload,!--no-models-autoload", .placeholder = "",
         .default_value = true, .help = "load the model that a request names", .group = group},
        {.name = "sleep_idle_seconds", .flags = "--sleep-idle-seconds", .placeholder = "N",
         .default_value = int64_t(-1),
         .help = "seconds without a request after which a model leaves memory until the next one; -1: never",
         .min = -1, .max = double(1 << 30), .group = group},
    };
}

}  // namespace ingle::cli
