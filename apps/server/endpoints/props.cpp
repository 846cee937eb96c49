// GET /props: how this server is set up.
#include "server/error.h"
#include "server/surfaces/native.h"

namespace ingle::server {

namespace {

Json capabilities_json(const ServedModel& model) {
    if (!model.chat_template) return Json::object();
    const chat::Capabilities& can = model.chat_template->capabilities();
    return {{"supports_system_role", can.system_role},
            {"supports_tools", can.tools},
            {"supports_tool_calls", can.tool_calls},
            {"supports_parallel_tool_calls", can.tool_calls},
            {"supports_string_content", can.text_content},
            {"supports_typed_content", can.typed_content},
            {"supports_enable_thinking", can.enable_thinking}};
}

Response answer(const Request&, Service& service) {
    const auto ready = service.ready_model();
    if (!ready.ok()) return error_response(ready.status());
    const ServedModel& model = **ready;
    GenerationRequest defaults;
    defaults.sampling = model.sampling;
    defaults.tokens_max = service.settings().tokens_max;
    const Engine& engine = *model.engine;
    return json_response(
        {{"default_generation_settings",
          {{"n_ctx", engine.context_tokens()}, {"params", generation_settings_json(defaults, model.tokenizer())}}},
         {"total_slots", engine.sequences_max()},
         {"model_alias", model.name},
         {"model_path", model.path},
         {"model_description", engine.model().description()},
         {"modalities", {{"vision", false}, {"audio", false}}},
         {"chat_template", model.chat_template ? model.chat_template->source() : std::string()},
         {"chat_template_caps", capabilities_json(model)},
         {"bos_token", model.bos_text},
         {"eos_token", model.eos_text},
         {"build_info", system_fingerprint()},
         {"endpoint_slots", service.settings().show_slots},
         {"endpoint_metrics", service.settings().show_metrics},
         {"is_sleeping", false}});
}

}  // namespace

namespace entries {
extern const Endpoint props;
const Endpoint props = {.method = "GET", .path = "/props", .open = false, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
