// Reshaping messages for templates that cannot digest them, and finding out which those are.
#pragma once

#include <functional>
#include <vector>

#include "chat/template.h"

namespace ingle::chat {

// Renders small conversations and looks for their words in the prompts.
Capabilities probe(const std::function<Result<Rendered>(const ChatInput&)>& render);

// The messages in the shape that a template of these capabilities needs.
Json adapted(const Json& messages, const Capabilities& capabilities);

// Other shapes to try when plain rendering failed, the least changed first; those alone that
// differ.
std::vector<Json> alternatives(const Json& messages);

}  // namespace ingle::chat
