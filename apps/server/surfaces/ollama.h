// Ollama's generate and chat: their requests become chat requests or prompts, answers become lines of JSON.
#pragma once

#include "server/writing.h"

namespace ingle::server {

// The fields of llama-server's completions that mean the same: "options" {num_predict, temperature, ...}, "format",
// "think", "stream" (on unless said).
Result<Json> fields_from_ollama(const Json& request);
// The same with "messages" and "tools".
Result<Json> chat_from_ollama(const Json& request);

// `chat`: {"message": {...}} instead of {"response": ...}.
std::unique_ptr<Surface> make_ollama(Form form, bool chat);

// "2026-11-30T14:05:09.123456Z"
std::string timestamp_now();

}  // namespace ingle::server
