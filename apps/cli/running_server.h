// Questions to a server that runs: for the verbs that look at one from outside.
#pragma once

#include <string>
#include <vector>

#include "chat/template.h"
#include "cli/verb.h"

namespace ingle::cli {

// --host, --port, --api-key, --api-prefix; their environment variables are those of `ingle serve`.
std::vector<Option> running_server_options();

// The server's JSON for a path; with `body` it is sent by POST. Fails with the server's own words if it refuses.
Result<chat::Json> ask_server(const OptionValues& values, const std::string& path, const std::string& body = {});

}  // namespace ingle::cli
