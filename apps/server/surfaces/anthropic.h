// Anthropic's messages: their requests become chat requests, answers become their blocks.
#pragma once

#include "server/writing.h"

namespace ingle::server {

// The fields of a chat completion that mean the same. Fails with the field's name.
Result<Json> chat_from_anthropic(const Json& request);

std::unique_ptr<Surface> make_anthropic(Form form);

}  // namespace ingle::server
