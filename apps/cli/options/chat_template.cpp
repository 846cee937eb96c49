#include "cli/options/chat_template.h"

#include "base/file.h"
#include "base/log.h"
#include "chat/builtin.h"

namespace ingle::cli {

namespace {

Result<std::string> source_from(const std::string& name_or_text) {
    if (const chat::BuiltinTemplate* const builtin = chat::find_builtin_template(name_or_text))
        return std::string(builtin->source);
    if (name_or_text.find("{{") != std::string::npos || name_or_text.find("{%") != std::string::npos)
        return name_or_text;
    std::vector<std::string_view> names;
    for (const chat::BuiltinTemplate& builtin : chat::builtin_templates())
        names.push_back(builtin.name);
    const std::string_view near = closest(name_or_text, names);
    return fail(Code::invalid_argument, "--chat-template: ", ingle::quoted(name_or_text),
                " is no built-in template and no Jinja text",
                near.empty() ? std::string() : cat("; did you mean ", near, "?"));
}

Result<std::string> source_of(const OptionValues& values, const gguf::File* model) {
    if (values.given("chat_template_file")) return read_file(values.text("chat_template_file"));
    if (values.given("chat_template")) return source_from(values.text("chat_template"));
    if (model != nullptr) {
        const std::string_view own = model->metadata().text("tokenizer.chat_template");
        if (!own.empty()) return std::string(own);
        log(LogLevel::notice, "notice: the model's file holds no chat template; chatml is used");
    }
    return source_from("chatml");
}

}  // namespace

std::vector<Option> chat_template_options() {
    constexpr char group[] = "Template";
    return {
        {.name = "chat_template", .flags = "--chat-template", .placeholder = "NAME|TEXT",
         .default_value = std::string(),
         .help = "a built-in template by name, or Jinja text; default: the model's own",
         .group = group},
        {.name = "chat_template_file", .flags = "--chat-template-file,--template",
         .placeholder = "FILE", .default_value = std::string(),
         .help = "a file that holds the template", .group = group},
        {.name = "chat_template_kwargs", .flags = "--chat-template-kwargs", .placeholder = "JSON",
         .default_value = std::string(), .help = "further variables for the template",
         .group = group},
        {.name = "jinja", .flags = "--jinja,!--no-jinja", .placeholder = "", .default_value = true,
         .help = "accepted; templates are always rendered as Jinja", .group = group},
        {.name = "now", .flags = "--now", .placeholder = "TIME", .default_value = std::string(),
         .help = "what the template takes for the present: \"2024-07-26 12:34:56\"",
         .group = group},
    };
}

Result<chat::ChatTemplate> choose_template(const OptionValues& values, const gguf::File* model) {
    INGLE_ASSIGN(std::string source, source_of(values, model));
    auto parsed = chat::ChatTemplate::parse(std::move(source));
    if (!parsed.ok()) return std::move(parsed).status().in("chat template");
    return parsed;
}

Result<chat::Json> parse_json(std::string_view text, std::string_view what) {
    chat::Json parsed = chat::Json::parse(text, nullptr, false);
    if (parsed.is_discarded())
        return fail(Code::invalid_argument, what, ": expected JSON, found ",
                    ingle::quoted(text, 40));
    return parsed;
}

}  // namespace ingle::cli
