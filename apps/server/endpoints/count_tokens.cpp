// POST /v1/messages/count_tokens: Anthropic's; what a conversation would cost, without an answer.
#include "server/prompt.h"
#include "server/surfaces/anthropic.h"

namespace ingle::server {

namespace {

Result<Json> count(const Request& request, Service& service) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    const auto model = request.model;
    INGLE_ASSIGN(const Json chat, chat_from_anthropic(body));
    INGLE_ASSIGN(const ChatPrompt prompt, chat_prompt_of(chat, *model, service.settings()));
    return Json{{"input_tokens", prompt.tokens.size()}};
}

Response answer(const Request& request, Service& service) {
    const auto counted = count(request, service);
    return counted.ok() ? json_response(*counted) : error_response(counted.status(), Dialect::anthropic);
}

}  // namespace

namespace entries {
extern const Endpoint count_tokens;
const Endpoint count_tokens = {.method = "POST", .path = "/v1/messages/count_tokens", .open = false,
                               .respond = answer, .dialect = Dialect::anthropic,
                          .needs_model = true};
}  // namespace entries

}  // namespace ingle::server
