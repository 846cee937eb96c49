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

// Ollama's "keep_alive", a duration like "10m", or seconds: how long the model stays in memory after the request.
Status take_keep_alive(const Json& request, const ServedModel& model, Catalogue& models);
// The answer to a request without a prompt, which is only about the model being in memory.
Json loaded_json(const Json& request, const ServedModel& model);

// "2026-11-30T14:05:09.123456Z"
std::string timestamp_now();
std::string timestamp_in(double seconds);

}  // namespace ingle::server
