// Answers as OpenAI's chat completions, with llama-server's additions (timings, prompt_progress).
#pragma once

#include "server/writing.h"

namespace ingle::server {

std::unique_ptr<Surface> make_openai_chat(Form form);

// A job from the fields of a chat completion; other surfaces translate their requests into these.
Result<Job> chat_job(const Json& request, std::shared_ptr<const ServedModel> model, const Settings& settings,
                     Form& form);

}  // namespace ingle::server
