// ingle inspect: what a model file says about itself.
#include <cstdio>

#include "cli/file_report.h"
#include "cli/model_file.h"
#include "cli/options/model.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() {
    return {model_option(), json_option()};
}

Status run(const Invocation& invocation) {
    INGLE_ASSIGN(const std::string path, model_path(invocation, true));
    INGLE_ASSIGN(const auto file, open_model(path));
    const std::string report =
        invocation.values.flag("json") ? json_report(file, path) : text_report(file, path);
    std::fputs(report.c_str(), stdout);
    return {};
}

}  // namespace

namespace entries {
extern const Verb inspect;
const Verb inspect = {
    .name = "inspect",
    .group = "Look inside",
    .summary = "show what a model file holds",
    .arguments = "[FILE]",
    .about = "  ingle inspect MODEL.gguf\n"
             "  ingle inspect MODEL.gguf --json\n",
    .options = options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
