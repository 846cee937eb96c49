// Generating for a person or a pipe: text goes to standard output as it comes, Ctrl-C ends it, speed goes to
// standard error.
#pragma once

#include <string>
#include <vector>

#include "cli/verb.h"
#include "engine/generate.h"

namespace ingle::cli {

// -n, -r, --special, --perf, --json: what every generating verb takes.
std::vector<Option> answer_options();
GenerateOptions generate_options(const OptionValues& values);

// Streams to standard output unless --json. Interrupted: Code::cancelled after what was done was shown.
Result<Generation> answer(Session& session, std::span<const Token> prompt, sampling::Chain& chain,
                          const GenerateOptions& options, const OptionValues& values);

// "prompt 31 tokens, 812.4 tokens/s; answer 64 tokens, 95.1 tokens/s"
std::string speed_line(const Generation& generation);
// If asked for by --perf, or by default on a terminal.
void report_speed(const Generation& generation, const OptionValues& values);
std::string json_of(const Generation& generation, const Session& session);

}  // namespace ingle::cli
