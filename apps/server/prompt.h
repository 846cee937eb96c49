// Prompts of requests: texts and lists of tokens, and conversations that a chat template renders.
#pragma once

#include <vector>

#include "server/json.h"
#include "server/served_model.h"
#include "server/settings.h"

namespace ingle::server {

// "text", [1, 2], ["text", 3, "text"] or a list of these, as llama-server takes them. Texts get BOS as the
// vocabulary asks for it; control tokens in them are parsed: the caller writes the whole prompt.
Result<std::vector<std::vector<Token>>> prompts_of(const Json& prompt, const Tokenizer& tokenizer);

struct ChatPrompt {
    std::vector<Token> tokens;
    std::string text;     // as rendered, with what the request has begun of the answer
    std::string prefill;  // that beginning
};

// Renders "messages" (and "tools", "chat_template_kwargs", "reasoning_effort", ...) of a request. Control tokens
// are made from the template's own words only.
Result<ChatPrompt> chat_prompt_of(const Json& request, const ServedModel& model, const Settings& settings);

}  // namespace ingle::server
