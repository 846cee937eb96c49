// OpenAI's Responses API: requests become chat requests, answers become output items.
#pragma once

#include <functional>

#include "server/writing.h"

namespace ingle::server {

// The fields of a chat completion that mean the same; `history`: messages of the response that this one continues.
Result<Json> chat_from_responses(const Json& request, const Json& history);

// What a surface repeats of its request.
struct ResponsesForm {
    Form form;
    Json request;
    // Called once with the finished response and the message that the answer is in a conversation.
    std::function<void(const Json& response, const Json& message)> finished;
};
std::unique_ptr<Surface> make_responses(ResponsesForm form);

}  // namespace ingle::server
