// Answers as OpenAI's text completions, with llama-server's additions.
#pragma once

#include "server/writing.h"

namespace ingle::server {

std::unique_ptr<Surface> make_openai_text(Form form);

}  // namespace ingle::server
