// The server as a process: sockets first, so that clients can see it load, then the models.
#include "cli/serve/serve.h"

#include "base/log.h"
#include "base/platform_supervisor.h"
#include "cli/options/compatibility.h"
#include "cli/options/engine.h"
#include "cli/serve/settings.h"
#include "cli/serve/sources.h"
#include "server/served_model.h"
#include "server/transport.h"

namespace ingle::cli {

namespace {

void tell_ready(server::Service& service, const std::string& name) {
    const auto model = service.models().borrow(name);
    if (!model) return;
    log(LogLevel::notice, "ready: ", name, ", ", model->engine->sequences_max(), " answers at once, ",
        model->engine->context_tokens(), " tokens of context each");
}

server::CatalogueOptions catalogue_options(const OptionValues& values) {
    server::CatalogueOptions options;
    options.several = serves_several(values);
    options.models_max = int(values.integer("models_max"));
    options.autoload = values.flag("models_autoload");
    options.idle_seconds = double(values.integer("sleep_idle_seconds"));
    return options;
}

}  // namespace

Status run_server(const Invocation& invocation) {
    const OptionValues& values = invocation.values;
    INGLE_TRY(check_compatibility(values));
    INGLE_TRY(limit_memory(values));
    INGLE_ASSIGN(server::Settings settings, server_settings(values));
    server::Service service(std::move(settings));
    INGLE_ASSIGN(std::vector<server::ModelSource> sources, model_sources(values, service));
    INGLE_ASSIGN(const auto transport, server::Transport::listen(service));
    for (const std::string& address : transport->addresses())
        log(LogLevel::notice, "listening at ", address);

    const bool several = serves_several(values);
    Status failure;
    bool was_ready = false;
    // The first load of the only model decides whether there is a server at all.
    const auto add_news = [&](std::vector<server::ModelSource>& added) {
        for (server::ModelSource& source : added) {
            source.loaded = [&, name = source.name](const Status& status) {
                if (status.ok()) tell_ready(service, name);
                if (several || was_ready) return;
                was_ready = status.ok();
                if (was_ready) platform::tell_supervisor("READY=1");
                else failure = status;
                if (!was_ready) transport->stop();
            };
        }
    };
    add_news(sources);
    server::CatalogueOptions options = catalogue_options(values);
    if (several) {
        options.scan = [&]() -> Result<std::vector<server::ModelSource>> {
            INGLE_ASSIGN(std::vector<server::ModelSource> found, model_sources(values, service));
            add_news(found);
            return found;
        };
        platform::tell_supervisor("READY=1");
        log(LogLevel::notice, "ready: ", sources.size(), " models, loaded when a request names one");
    }
    service.models().open(std::move(options), std::move(sources));
    transport->run();
    service.downloads().finish();
    service.models().finish();
    return failure;
}

}  // namespace ingle::cli
