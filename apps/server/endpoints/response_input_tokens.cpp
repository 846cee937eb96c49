// POST /v1/responses/input_tokens: what a response would cost, without an answer.
#include "server/error.h"
#include "server/prompt.h"
#include "server/service.h"
#include "server/surfaces/responses.h"

namespace ingle::server {

namespace {

Result<Json> count(const Request& request, Service& service) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    Fields fields(body);
    const std::string previous = fields.text("previous_response_id");
    INGLE_TRY(fields.status());
    Json history = Json::array();
    if (!previous.empty()) {
        const auto found = service.responses().find(previous, request.client);
        if (!found) return fail(Code::not_found, "there is no response ", quoted(previous), " any more");
        history = found->messages;
    }
    INGLE_ASSIGN(const Json chat, chat_from_responses(body, history));
    INGLE_ASSIGN(const ChatPrompt prompt, chat_prompt_of(chat, *request.model, service.settings()));
    return Json{{"object", "response.input_tokens"}, {"input_tokens", prompt.tokens.size()}};
}

Response answer(const Request& request, Service& service) {
    const auto counted = count(request, service);
    return counted.ok() ? json_response(*counted) : error_response(counted.status());
}

}  // namespace

namespace entries {
extern const Endpoint response_input_tokens;
const Endpoint response_input_tokens = {.method = "POST",
                                        .path = "/v1/responses/input_tokens /responses/input_tokens",
                                        .open = false,
                                        .respond = answer,
                                        .needs_model = true};
}  // namespace entries

}  // namespace ingle::server
