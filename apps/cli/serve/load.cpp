#include "cli/serve/load.h"

#include <algorithm>

#include "base/byte_size.h"
#include "base/log.h"
#include "base/platform.h"
#include "base/platform_memory.h"
#include "cli/hub_model.h"
#include "cli/model_file.h"
#include "cli/options/chat_template.h"
#include "cli/options/engine.h"
#include "cli/serve/settings.h"
#include "server/service.h"

namespace ingle::cli {

namespace {

// As large as what one model alone may take of the free memory.
constexpr double cache_share = 0.75;

Result<std::shared_ptr<Engine>> open_engine(const LoadPlan& plan, std::shared_ptr<const Model> model) {
    const OptionValues& values = plan.values;
    INGLE_ASSIGN(const SessionOptions session, session_options(values, model));
    EngineOptions options;
    options.context_tokens = context_of_sequence(values);
    options.sequences_max = std::max<int64_t>(values.integer("parallel"), 0);
    options.chunk_tokens = std::min(session.chunk_tokens, values.integer("batch"));
    options.key_type = session.key_type;
    options.value_type = session.value_type;
    options.full_windows = session.full_windows;
    options.context_shift = session.context_shift;
    options.shift = session.shift;
    if (const std::string& size = values.text("prefix_memory"); !size.empty()) {
        const auto bytes = parse_bytes(size);
        if (!bytes || *bytes == 0)
            return fail(Code::invalid_argument, "--prefix-memory: expected a size like 512M or 2G, found ", quoted(size));
        options.prefix_bytes_max = *bytes;
    }
    options.cache_share = cache_share / std::max(plan.models_max, 1);
    return Engine::open(std::move(model), options);
}

void take_template(const OptionValues& values, const gguf::File& file, server::ServedModel& served) {
    auto chosen = choose_template(values, &file);
    if (chosen.ok()) {
        served.chat_template = std::move(*chosen);
        return;
    }
    served.template_fault = chosen.status().message();
    log(LogLevel::warning, served.template_fault, "; the model answers to completions only");
}

Result<std::shared_ptr<const Model>> read_model(const LoadPlan& plan, const std::string& path, Runtimes& runtimes,
                                                const server::ModelSource::Progress& progress) {
    INGLE_ASSIGN(auto runtime, runtimes.get(plan.values));
    ModelOptions options;
    options.path = path;
    options.progress = progress;
    auto model = Model::load(std::move(runtime), options);
    if (!model.ok()) return naming_file(std::move(model).status(), path);
    return model;
}

}  // namespace

Result<std::shared_ptr<Runtime>> Runtimes::get(const OptionValues& values) {
    INGLE_ASSIGN(const RuntimeOptions options, runtime_options(values));
    const ThreadPlacement& placement = options.placement;
    std::string key = cat(options.threads, " ", options.threads_batch, " ", options.reference ? 1 : 0, " ",
                          options.precise ? 1 : 0, " ", placement.one_each ? 1 : 0, " ", placement.priority, " ",
                          placement.poll, " ", mask_of_processors(placement.processors), " ",
                          options.storage.no_repack ? 1 : 0, " ", options.storage.check_cache ? 1 : 0, " ",
                          options.storage.repack_cache.string());
    for (const std::vector<int>& node : placement.nodes) key += " " + mask_of_processors(node);
    const std::lock_guard lock(mutex_);
    std::weak_ptr<Runtime>& known = known_[key];
    if (auto runtime = known.lock()) return runtime;
    auto runtime = Runtime::make(options);
    known = runtime;
    return std::shared_ptr<Runtime>(std::move(runtime));
}

Result<server::BorrowedModel> load_served(const LoadPlan& plan, Runtimes& runtimes, uint64_t promised,
                                          const server::ModelSource::Progress& progress) {
    const OptionValues& values = plan.values;
    platform::promise_memory(promised);
    INGLE_ASSIGN(const std::string path, path_of_model(plan.model, values.flag("offline")));
    if (values.flag("check_tensors")) INGLE_TRY(check_all_tensors(path, int(values.integer("threads"))));
    INGLE_ASSIGN(const auto model, read_model(plan, path, runtimes, progress));
    auto served = std::make_shared<server::ServedModel>();
    served->name = plan.name;
    served->aliases = plan.aliases;
    served->tags = plan.tags;
    served->path = path;
    served->created = server::unix_seconds();
    take_template(values, model->file(), *served);
    const Tokenizer& tokenizer = *model->tokenizer();
    served->bos_text = tokenizer.piece(tokenizer.special().bos, true);
    served->eos_text = tokenizer.piece(tokenizer.special().eos, true);
    served->sampling = sampling_defaults(values, model->file());
    if (values.given("chat_template_kwargs")) {
        INGLE_ASSIGN(served->template_variables,
                     parse_json(values.text("chat_template_kwargs"), "--chat-template-kwargs"));
    }
    if (values.text("reasoning") != "auto") served->thinking = values.text("reasoning") == "on";
    INGLE_ASSIGN(served->engine, open_engine(plan, model));
    return server::BorrowedModel(std::move(served));
}

}  // namespace ingle::cli
