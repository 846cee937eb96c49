// ingle rm: takes a downloaded model away.
#include <cstdio>

#include "cli/verb.h"
#include "hub/cache.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() { return {}; }

Status run(const Invocation& invocation) {
    if (invocation.arguments.empty())
        return fail(Code::invalid_argument, "expected a model: ingle rm user/repo:TYPE; `ingle list` shows them");
    const hub::Cache cache = hub::Cache::of_environment();
    for (const std::string& name : invocation.arguments) {
        INGLE_ASSIGN(const hub::Reference reference, hub::parse_reference(name));
        INGLE_ASSIGN(const uint64_t bytes, cache.remove(reference));
        std::printf("%s: %s freed\n", name.c_str(), human_bytes(bytes).c_str());
    }
    return {};
}

}  // namespace

namespace entries {
extern const Verb rm;
const Verb rm = {
    .name = "rm",
    .group = "Models",
    .summary = "delete downloaded models",
    .arguments = "MODEL...",
    .about = "  ingle rm user/repo:Q8_0\n"
             "  ingle rm user/repo/model.gguf\n\n"
             "Files that another revision of the repository uses as well stay.",
    .options = options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
