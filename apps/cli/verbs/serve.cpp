// ingle serve: a model behind HTTP, for clients of OpenAI, Anthropic, Ollama and llama-server.
#include <algorithm>

#include "cli/options/chat_template.h"
#include "cli/options/compatibility.h"
#include "cli/options/engine.h"
#include "cli/options/serve_models.h"
#include "cli/options/server.h"
#include "cli/serve/serve.h"
#include "sampling/options.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() {
    std::vector<Option> all = serve_model_options();
    const auto add = [&all](std::vector<Option> more) {
        for (Option& option : more) {
            const bool known = std::ranges::find(all, option.name, &Option::name) != all.end();
            if (!known) all.push_back(std::move(option));
        }
    };
    add(server_options());
    add(chat_template_options());
    add(engine_options());
    add(sampling::sampling_options());
    add(compatibility_options());
    return all;
}

}  // namespace

namespace entries {
extern const Verb serve;
const Verb serve = {
    .name = "serve",
    .group = "Talk",
    .summary = "answer over HTTP: OpenAI, Anthropic, Ollama and llama-server clients, and a page",
    .arguments = "",
    .about = "  ingle serve -m MODEL.gguf\n"
             "  ingle serve -m MODEL.gguf -c 8192 -np 4 --host 0.0.0.0 --api-key-file keys.txt\n"
             "  ingle serve --models-dir models/ --models-max 2\n"
             "  curl http://127.0.0.1:8080/v1/chat/completions -d '{\"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}]}'\n\n"
             "One -m: that model answers, whatever a request names. Otherwise requests choose by their \"model\", which\n"
             "is loaded then: among those of several -m, a folder, a presets file, and what was downloaded.\n\n"
             "Listens on this machine only unless --host says otherwise. SIGTERM lets answers under way end.",
    .options = options,
    .run = run_server,
};
}  // namespace entries

}  // namespace ingle::cli
