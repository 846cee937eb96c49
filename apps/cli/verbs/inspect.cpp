// ingle inspect: what a model file says about itself.
#include <cstdio>

#include "cli/file_report.h"
#include "cli/model_file.h"
#include "cli/options/model.h"
#include "engine/session.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() {
    return {model_option(),
            json_option(),
            {.name = "program", .flags = "--program", .placeholder = "", .default_value = false,
             .help = "show the steps that the model is compiled into", .group = "Output"}};
}

Status print_program(const std::string& path) {
    ModelOptions model_options;
    model_options.path = path;
    model_options.without_tokenizer = true;
    auto model = Model::load(Runtime::make({}), model_options);
    if (!model.ok()) return naming_file(std::move(model).status(), path);
    SessionOptions settings;
    settings.context_tokens = settings.chunk_tokens;
    INGLE_ASSIGN(const auto session, Session::open(*model, settings));
    std::fputs(session->program().to_text().c_str(), stdout);
    return {};
}

Status run(const Invocation& invocation) {
    INGLE_ASSIGN(const std::string path, model_path(invocation, true));
    if (invocation.values.flag("program")) return print_program(path);
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
             "  ingle inspect MODEL.gguf --json\n"
             "  ingle inspect MODEL.gguf --program\n",
    .options = options,
    .run = run,
};
}  // namespace entries

}  // namespace ingle::cli
