// POST /v1/chat/completions/input_tokens: what a chat would cost, without an answer.
#include "server/error.h"
#include "server/prompt.h"
#include "server/service.h"

namespace ingle::server {

namespace {

Result<Json> count(const Request& request, Service& service) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    const auto model = request.model;
    INGLE_ASSIGN(const ChatPrompt prompt, chat_prompt_of(body, *model, service.settings()));
    return Json{{"object", "response.input_tokens"}, {"input_tokens", prompt.tokens.size()}};
}

Response answer(const Request& request, Service& service) {
    const auto counted = count(request, service);
    return counted.ok() ? json_response(*counted) : error_response(counted.status());
}

}  // namespace

namespace entries {
extern const Endpoint input_tokens;
const Endpoint input_tokens = {.method = "POST",
                               .path = "/v1/chat/completions/input_tokens /chat/completions/input_tokens",
                               .open = false,
                               .respond = answer,
                          .needs_model = true};
}  // namespace entries

}  // namespace ingle::server
