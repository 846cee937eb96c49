// POST /api/show: Ollama's description of a model.
#include "server/error.h"
#include "server/model_json.h"
#include "server/sampling_fields.h"

namespace ingle::server {

namespace {

Response answer(const Request&, Service& service) {
    const auto ready = service.ready_model();
    if (!ready.ok()) return error_response(ready.status(), Dialect::ollama);
    const ServedModel& served = **ready;
    const Model& model = served.engine->model();
    const std::string architecture(model.file().metadata().text("general.architecture"));
    Json capabilities = Json::array({"completion"});
    if (served.chat_template && served.chat_template->capabilities().tools) capabilities.push_back("tools");
    if (served.chat_template && served.chat_template->capabilities().enable_thinking)
        capabilities.push_back("thinking");
    std::string parameters;
    const Json settings = sampling_json(served.sampling);
    for (const auto& [name, value] : settings.items())
        if (value.is_number()) parameters += cat(name, " ", value.dump(), "\n");
    return json_response(
        {{"modelfile", ""},
         {"parameters", parameters},
         {"template", served.chat_template ? served.chat_template->source() : std::string()},
         {"details", ollama_details_json(served)},
         {"model_info",
          {{"general.architecture", architecture},
           {"general.parameter_count", model.parameter_count()},
           {cat(architecture, ".context_length"), model.context_trained()}}},
         {"capabilities", std::move(capabilities)}});
}

}  // namespace

namespace entries {
extern const Endpoint ollama_show;
const Endpoint ollama_show = {.method = "POST", .path = "/api/show", .open = false, .respond = answer,
                              .dialect = Dialect::ollama};
}  // namespace entries

}  // namespace ingle::server
