// POST /apply-template: the prompt that a conversation becomes.
#include "server/error.h"
#include "server/prompt.h"
#include "server/service.h"

namespace ingle::server {

namespace {

Result<Json> prompt_of(const Request& request, Service& service) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    const auto model = request.model;
    INGLE_ASSIGN(const ChatPrompt prompt, chat_prompt_of(body, *model, service.settings()));
    return Json{{"prompt", prompt.text}};
}

Response answer(const Request& request, Service& service) {
    const auto prompt = prompt_of(request, service);
    return prompt.ok() ? json_response(*prompt) : error_response(prompt.status());
}

}  // namespace

namespace entries {
extern const Endpoint apply_template;
const Endpoint apply_template = {.method = "POST", .path = "/apply-template", .open = false,
                                 .respond = answer,
                          .needs_model = true};
}  // namespace entries

}  // namespace ingle::server
