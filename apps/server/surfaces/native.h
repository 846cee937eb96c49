// Answers as llama-server's own /completion gives them.
#pragma once

#include "server/writing.h"

namespace ingle::server {

// A job from the fields of /completion and the prompts made from it.
Result<Job> native_job(const Json& request, std::vector<std::vector<Token>> prompts,
                       std::shared_ptr<const ServedModel> model, const Settings& settings);

// The settings of a request as /completion, /props and /slots show them.
Json generation_settings_json(const GenerationRequest& request, const Tokenizer& tokenizer);

}  // namespace ingle::server
