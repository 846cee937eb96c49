// What the flags of `ingle serve` mean for the server.
#pragma once

#include "cli/verb.h"
#include "server/settings.h"

namespace ingle::cli {

// Fails for what contradicts itself: one half of a TLS pair, an address beyond this machine without a key.
Result<server::Settings> server_settings(const OptionValues& values);

// Tokens of context of one sequence. As llama-server has it, -c is shared by the sequences of -np when both are
// given.
int64_t context_of_sequence(const OptionValues& values);

// Words separated by commas.
std::vector<std::string> words_of(std::string_view list);

}  // namespace ingle::cli
