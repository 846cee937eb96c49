// ingle pull: a model from the hub into the cache.
#include <cstdio>

#include "cli/hub_model.h"
#include "cli/options/model.h"
#include "hub/reference.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() { return {offline_option()}; }

Status run(const Invocation& invocation) {
    if (invocation.arguments.size() != 1)
        return fail(Code::invalid_argument, "expected one model: ingle pull user/repo:TYPE");
    const std::string& name = invocation.arguments[0];
    if (auto reference = hub::parse_reference(name); !reference.ok()) return std::move(reference).status();
    INGLE_ASSIGN(const std::string path, path_of_model(name, invocation.values.flag("offline")));
    std::puts(path.c_str());
    return {};
}

}  // namespace

namespace entries {
extern const Verb pull;
const Verb pull = {
    .name = "pull",
    .group = "Models",
    .summary = "download a model from the hub",
    .arguments = "MODEL",
    .about = "  ingle pull user/repo              the repository's Q4_K_M, else Q4_0, Q8_0 or its first file\n"
             "  ingle pull user/repo:Q8_0         the file of that type; all parts of a split model\n"
             "  ingle pull user/repo/model.gguf   a file by its name\n"
             "  ingle pull user/repo@rev:Q8_0     at a branch, tag or commit\n\n"
             "Prints the path of the file. An interrupted download goes on where it stopped. Files lie in the hub's\n"
             "own cache (HF_HUB_CACHE, HF_HOME), shared with its other tools. HF_ENDPOINT names another hub, HF_TOKEN\n"
             "the key to private models. Verbs that take -m FILE take user/repo:TYPE as well.",
    .options = options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
