// ingle stop: takes a model of a running server out of memory.
#include <cstdio>

#include "cli/running_server.h"

namespace ingle::cli {

namespace {

Status run(const Invocation& invocation) {
    if (invocation.arguments.empty())
        return fail(Code::invalid_argument, "expected a model: ingle stop MODEL; `ingle ps` shows them");
    for (const std::string& name : invocation.arguments) {
        const chat::Json body = {{"model", name}};
        const std::string text = body.dump(-1, ' ', true, chat::Json::error_handler_t::replace);
        INGLE_TRY(ask_server(invocation.values, "/models/unload", text).status());
        std::printf("%s leaves memory\n", name.c_str());
    }
    return {};
}

}  // namespace

namespace entries {
extern const Verb stop;
const Verb stop = {
    .name = "stop",
    .group = "Models",
    .summary = "take models of a running server out of memory",
    .arguments = "MODEL...",
    .about = "  ingle stop writer\n\n"
             "Answers that use the model end first. The next request that names it loads it again.",
    .options = running_server_options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
