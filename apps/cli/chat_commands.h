// What a person may say to `ingle chat` itself instead of to the model: lines that begin with '/'.
#pragma once

#include <string>

#include "cli/conversation.h"

namespace ingle::cli {

enum class Next { go_on, leave };

// Carries out a command, telling the person on standard error what came of it.
Next obey(const std::string& line, Conversation& conversation);

}  // namespace ingle::cli
