// GET /slots: what is under way.
#include "base/log.h"
#include "server/error.h"
#include "server/model_json.h"
#include "server/surfaces/native.h"

namespace ingle::server {

namespace {

Json slot_json(const SlotState& slot, const ServedModel& model, const Settings& settings) {
    Json json = {{"id", slot.id},
            {"id_task", -1},
            {"request_id", slot.request_id},
            {"n_ctx", model.engine->context_tokens()},
            {"speculative", false},
            {"is_processing", slot.busy},
            {"n_prompt_tokens", slot.prompt_tokens},
            {"n_prompt_tokens_processed", slot.prompt_done},
            {"next_token", Json::array({{{"has_next_token", slot.busy},
                                         {"has_new_line", false},
                                         {"n_remain", -1},
                                         {"n_decoded", slot.busy ? slot.generated : 0}}})}};
    if (!log_enabled(LogLevel::debug)) return json;
    GenerationRequest defaults;
    defaults.sampling = model.sampling;
    defaults.tokens_max = settings.tokens_max;
    json["params"] = generation_settings_json(defaults, model.tokenizer());
    return json;
}

Response answer(const Request& request, Service& service) {
    if (!service.settings().show_slots)
        return error_response(
            fail(Code::unsupported,
                 "This server does not support slots endpoint. Start it with `--slots`"));
    const auto report = described_model(request, service);
    if (!report.ok()) return error_response(report.status());
    const BorrowedModel model = service.models().borrow(report->name);
    if (!model) return json_response(Json::array());  // it sleeps: nothing is under way
    const std::vector<SlotState> slots = model->engine->slots();
    Json list = Json::array();
    bool any_free = false;
    for (const SlotState& slot : slots) {
        any_free = any_free || !slot.busy;
        list.push_back(slot_json(slot, *model, service.settings()));
    }
    if (!request.query_value("fail_on_no_slot").empty() && !any_free)
        return error_response({.status = 503, .type = "unavailable_error", .message = "no slot available",
                               .retry_after_seconds = 1});
    return json_response(list);
}

}  // namespace

namespace entries {
extern const Endpoint slots;
const Endpoint slots = {.method = "GET", .path = "/slots", .open = false, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
