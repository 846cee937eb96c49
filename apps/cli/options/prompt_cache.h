// --prompt-cache: what was computed of a prompt is kept in a file from run to run.
#pragma once

#include <span>
#include <vector>

#include "cli/verb.h"
#include "engine/session.h"

namespace ingle::cli {

std::vector<Option> prompt_cache_options();

// Brings back what the file holds of the prompt's beginning, if there is a file; the tokens that are left to feed, at
// least one.
Result<std::span<const Token>> take_cached(const OptionValues& values, Session& session,
                                           std::span<const Token> prompt);
// Writes the prompt's tokens, or with --prompt-cache-all everything, to the file.
Status keep_cached(const OptionValues& values, Session& session, int64_t prompt_tokens);

}  // namespace ingle::cli
