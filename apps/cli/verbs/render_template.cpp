// ingle template: the prompt that a chat template makes of a conversation.
#include <cstdio>

#include "base/file.h"
#include "cli/model_file.h"
#include "cli/model_tokenizer.h"
#include "cli/options/chat_template.h"
#include "cli/options/model.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() {
    std::vector<Option> all = {model_option()};
    for (Option& option : chat_template_options()) all.push_back(std::move(option));
    const auto add = [&all](const char* name, const char* flags, const char* placeholder,
                            const char* help) {
        all.push_back({.name = name, .flags = flags, .placeholder = placeholder,
                       .default_value = std::string(), .help = help, .group = "Input"});
    };
    add("context", "--context", "FILE",
        "JSON: an object with messages, tools and any variables, or a list of messages; - is "
        "standard input");
    add("prompt", "-p,--prompt", "TEXT", "one user message instead of --context");
    add("bos", "--bos", "TEXT", "text of the beginning token; default: the model's");
    add("eos", "--eos", "TEXT", "text of the end token; default: the model's");
    return all;
}

Result<chat::Json> context_of(const OptionValues& values) {
    if (values.given("prompt"))
        return chat::Json{{"messages", {{{"role", "user"}, {"content", values.text("prompt")}}}}};
    const std::string& path = values.text("context");
    if (path.empty())
        return fail(Code::invalid_argument, "no conversation: use --context FILE or -p TEXT");
    INGLE_ASSIGN(const std::string text, path == "-" ? read_standard_input() : read_file(path));
    INGLE_ASSIGN(chat::Json context, parse_json(text, path));
    if (context.is_array()) return chat::Json{{"messages", std::move(context)}};
    if (!context.is_object())
        return fail(Code::invalid_argument, path, ": expected a JSON object or list");
    return context;
}

// Every key of the context is a variable of the template.
Status fill(chat::ChatInput& input, chat::Json context, const OptionValues& values) {
    for (auto& [key, value] : context.items()) {
        if (key == "messages") input.messages = std::move(value);
        else if (key == "add_generation_prompt" && value.is_boolean())
            input.add_generation_prompt = value.get<bool>();
        else input.variables[key] = std::move(value);
    }
    if (values.given("chat_template_kwargs")) {
        INGLE_ASSIGN(const chat::Json more,
                     parse_json(values.text("chat_template_kwargs"), "--chat-template-kwargs"));
        if (more.is_object()) input.variables.update(more);
    }
    if (values.given("now")) {
        INGLE_ASSIGN(input.now, chat::parse_clock(values.text("now")));
    }
    return {};
}

Status take_texts_of_model(chat::ChatInput& input, const gguf::File& file) {
    INGLE_ASSIGN(const auto tokenizer, tokenizer_of(file));
    input.bos_token = tokenizer->piece(tokenizer->special().bos, true);
    input.eos_token = tokenizer->piece(tokenizer->special().eos, true);
    return {};
}

Status render(const Invocation& invocation) {
    const OptionValues& values = invocation.values;
    std::optional<gguf::File> file;
    chat::ChatInput input;
    if (values.given("model")) {
        INGLE_ASSIGN(file, open_model(values.text("model")));
        INGLE_TRY(take_texts_of_model(input, *file));
    } else if (!values.given("chat_template") && !values.given("chat_template_file")) {
        return fail(Code::invalid_argument, "no template: use -m MODEL, --template FILE or "
                                            "--chat-template NAME");
    }
    INGLE_ASSIGN(const auto chat_template, choose_template(values, file ? &*file : nullptr));
    INGLE_ASSIGN(chat::Json context, context_of(values));
    INGLE_TRY(fill(input, std::move(context), values));
    if (values.given("bos")) input.bos_token = values.text("bos");
    if (values.given("eos")) input.eos_token = values.text("eos");
    input.adapt = chat::Adapt::never;
    INGLE_ASSIGN(const chat::Rendered rendered, chat_template.render(input));
    std::fwrite(rendered.text.data(), 1, rendered.text.size(), stdout);
    return {};
}

}  // namespace

namespace entries {
extern const Verb render_template;
const Verb render_template = {
    .name = "template",
    .group = "Look inside",
    .summary = "show the prompt that a chat template makes",
    .arguments = "",
    .about = "  ingle template -m MODEL.gguf -p Hello\n"
             "  ingle template --template chat.jinja --context talk.json --now \"2024-07-26 12:34:56\"\n",
    .options = options,
    .run = render,
};
}  // namespace entries

}  // namespace ingle::cli
