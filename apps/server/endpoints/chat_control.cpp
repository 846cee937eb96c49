// POST /v1/chat/completions/control: {"id", "action": "reasoning_end"} makes an answer under way stop reasoning.
#include "server/error.h"
#include "server/json.h"
#include "server/service.h"

namespace ingle::server {

namespace {

Result<Json> control(const Request& request, Service& service) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    Fields fields(body);
    fields.require("id");
    fields.require("action");
    const std::string id = fields.text("id"), action = fields.text("action");
    INGLE_TRY(fields.status());
    if (action != "reasoning_end")
        return fail(Code::invalid_argument, "'action': expected reasoning_end, found ", quoted(action));
    if (!service.running().end_reasoning(id, request.client))
        return fail(Code::not_found, "no answer ", quoted(id), " is under way");
    return Json{{"success", true}, {"message", "the model is told to stop reasoning"}};
}

Response answer(const Request& request, Service& service) {
    const auto done = control(request, service);
    return done.ok() ? json_response(*done) : error_response(done.status());
}

}  // namespace

namespace entries {
extern const Endpoint chat_control;
const Endpoint chat_control = {.method = "POST",
                               .path = "/v1/chat/completions/control /chat/completions/control",
                               .open = false,
                               .respond = answer};
}  // namespace entries

}  // namespace ingle::server
