#include "cli/options/model.h"

#include "base/file.h"
#include "cli/hub_model.h"

namespace ingle::cli {

namespace {

constexpr char group[] = "Input";

}  // namespace

Option model_option() {
    return {.name = "model",
            .flags = "-m,--model,-hf,-hfr,--hf-repo",
            .placeholder = "FILE",
            .default_value = std::string(),
            .help = "the model, a GGUF file, of a split model any part; or user/repo:TYPE, downloaded when first used",
            .group = group};
}

Option offline_option() {
    return {.name = "offline",
            .flags = "--offline",
            .placeholder = "",
            .default_value = false,
            .help = "do not ask the hub: take user/repo from what was downloaded before",
            .group = group};
}

Result<std::string> model_path(const Invocation& invocation, bool may_be_argument) {
    std::string name = invocation.values.text("model");
    const size_t words_taken = may_be_argument && name.empty() ? 1 : 0;
    if (may_be_argument && invocation.arguments.size() > words_taken)
        return fail(Code::invalid_argument, "unexpected word ",
                    quoted(invocation.arguments[words_taken]));
    if (words_taken > 0 && !invocation.arguments.empty()) name = invocation.arguments[0];
    const bool offline = invocation.values.find("offline") != nullptr && invocation.values.flag("offline");
    if (!name.empty()) return path_of_model(name, offline);
    return fail(Code::invalid_argument, "no model given: name a GGUF file with -m FILE");
}

std::vector<Option> text_options() {
    return {
        {.name = "prompt", .flags = "-p,--prompt", .placeholder = "TEXT",
         .default_value = std::string(), .help = "the text, taken byte for byte", .group = group},
        {.name = "file", .flags = "-f,--file", .placeholder = "FILE",
         .default_value = std::string(), .help = "read the text from a file; - is standard input",
         .group = group},
    };
}

Result<std::optional<std::string>> given_text(const OptionValues& values) {
    if (values.given("prompt") && values.given("file"))
        return fail(Code::invalid_argument, "-p and -f were both given; one text is expected");
    if (values.given("prompt")) return std::optional(values.text("prompt"));
    if (!values.given("file")) return std::optional<std::string>();
    const std::string& path = values.text("file");
    auto content = path == "-" ? read_standard_input() : read_file(path);
    if (!content.ok()) return std::move(content).status();
    return std::optional(std::move(*content));
}

Option json_option() {
    return {.name = "json",
            .flags = "--json",
            .placeholder = "",
            .default_value = false,
            .help = "answer in JSON",
            .group = "Output"};
}

}  // namespace ingle::cli
