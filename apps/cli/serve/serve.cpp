// The server as a process: sockets first, so that clients can see it load, then the model.
#include "cli/serve/serve.h"

#include <algorithm>
#include <thread>

#include "base/log.h"
#include "base/platform_supervisor.h"
#include "cli/options/chat_template.h"
#include "cli/options/compatibility.h"
#include "cli/options/engine.h"
#include "cli/options/model.h"
#include "cli/serve/settings.h"
#include "server/transport.h"

namespace ingle::cli {

namespace {

std::vector<std::string> names_of(const OptionValues& values, const std::string& path) {
    std::vector<std::string> names = words_of(values.text("alias"));
    if (names.empty()) names.push_back(std::filesystem::path(path).stem().string());
    return names;
}

Result<std::shared_ptr<Engine>> open_engine(const OptionValues& values, std::shared_ptr<const Model> model) {
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

Result<std::shared_ptr<const server::ServedModel>> serve_model(const Invocation& invocation) {
    const OptionValues& values = invocation.values;
    INGLE_ASSIGN(const auto model, load_model(invocation));
    auto served = std::make_shared<server::ServedModel>();
    INGLE_ASSIGN(served->path, model_path(invocation));
    served->aliases = names_of(values, served->path);
    std::ranges::sort(served->aliases);  // as llama-server lists them
    served->name = served->aliases.front();
    served->tags = words_of(values.text("tags"));
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
    INGLE_ASSIGN(served->engine, open_engine(values, model));
    return std::shared_ptr<const server::ServedModel>(std::move(served));
}

}  // namespace

Status run_server(const Invocation& invocation) {
    INGLE_TRY(check_compatibility(invocation.values));
    INGLE_ASSIGN(server::Settings settings, server_settings(invocation.values));
    INGLE_TRY(model_path(invocation).status());
    server::Service service(std::move(settings));
    INGLE_ASSIGN(const auto transport, server::Transport::listen(service));
    for (const std::string& address : transport->addresses())
        log(LogLevel::notice, "listening at ", address);

    Status failure;
    std::thread loader([&] {
        auto served = serve_model(invocation);
        if (served.ok()) {
            service.set_model(*served);
            platform::tell_supervisor("READY=1");
            log(LogLevel::notice, "ready: ", (*served)->name, ", ",
                (*served)->engine->sequences_max(), " answers at once, ",
                (*served)->engine->context_tokens(), " tokens of context each");
        } else {
            failure = std::move(served).status();
            transport->stop();
        }
    });
    transport->run();
    loader.join();
    return failure;
}

}  // namespace ingle::cli
