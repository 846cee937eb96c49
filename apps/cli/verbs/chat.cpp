// ingle chat: a conversation with a model, at a terminal or in a script.
#include <cstdio>

#include "base/platform.h"
#include "cli/answer.h"
#include "cli/chat_commands.h"
#include "cli/conversation.h"
#include "cli/line_editor.h"
#include "cli/options/chat_template.h"
#include "cli/options/compatibility.h"
#include "cli/options/engine.h"
#include "cli/options/grammar.h"
#include "cli/options/model.h"
#include "cli/terminal.h"
#include "sampling/options.h"

namespace ingle::cli {

namespace {

std::vector<Option> options() {
    std::vector<Option> all = {model_option()};
    const auto add = [&all](std::vector<Option> more) {
        for (Option& option : more) all.push_back(std::move(option));
    };
    const auto text = [](const char* name, const char* flags, const char* placeholder,
                         const char* help) {
        return Option{.name = name, .flags = flags, .placeholder = placeholder,
                      .default_value = std::string(), .help = help, .group = "Conversation"};
    };
    const auto flag = [](const char* name, const char* flags, const char* help) {
        return Option{.name = name, .flags = flags, .placeholder = "", .default_value = false,
                      .help = help, .group = "Conversation"};
    };
    add(text_options());
    add({text("system_prompt", "-sys,--system-prompt", "TEXT", "what the model is told first"),
         text("system_prompt_file", "-sysf,--system-prompt-file", "FILE", "the same from a file"),
         flag("single_turn", "-st,--single-turn", "answer -p or -f and end"),
         flag("conversation", "-cnv,--conversation,!-no-cnv,!--no-conversation",
              "accepted; this verb always converses"),
         Option{.name = "reasoning", .flags = "-rea,--reasoning", .placeholder = "WHEN",
                .default_value = std::string("auto"),
                .help = "whether a model that can think first shall; auto: as its template has it",
                .choices = {"auto", "on", "off"}, .group = "Conversation"}});
    add(chat_template_options());
    add(answer_options());
    add(grammar_options());
    add(engine_options());
    add(sampling::sampling_options());
    add(compatibility_options());
    return all;
}

// An answer and, if wanted, its speed. Failures of one turn are told; the conversation goes on.
Status take_turn(Conversation& conversation, const std::string& text) {
    INGLE_ASSIGN(const Generation generation, conversation.say(text));
    const bool json = conversation.values().flag("json");
    if (json) std::puts(json_of(generation, conversation.session()).c_str());
    else std::fputc('\n', stdout);
    std::fflush(stdout);
    report_speed(generation, conversation.values());
    if (generation.reason == FinishReason::cancelled) return fail(Code::cancelled, "interrupted");
    return {};
}

// Lines until the closing """, or those that end in a backslash, are one message.
LineEnd read_message(LineEditor& editor, std::string& message) {
    const std::string go_on = styled_output(Style::dim, "... ");
    LineEnd end = editor.read(styled_output(Style::cyan, "> "), message);
    if (end != LineEnd::line) return end;
    if (message.starts_with("\"\"\"")) {
        message.erase(0, 3);
        while (!message.ends_with("\"\"\"")) {
            std::string line;
            end = editor.read(go_on, line);
            if (end != LineEnd::line) return end;
            message += (message.empty() ? "" : "\n") + line;
        }
        message.erase(message.size() - 3);
    }
    while (message.ends_with('\\')) {
        std::string line;
        end = editor.read(go_on, line);
        if (end != LineEnd::line) return end;
        message.back() = '\n';
        message += line;
    }
    return LineEnd::line;
}

Status converse(Conversation& conversation) {
    const auto editor = make_line_editor();
    const bool person = decorated_output();
    if (person)
        std::fprintf(stderr, "%s\n",
                     styled_message(Style::dim, conversation.session().model().description() +
                                                    "; /help lists commands, /bye leaves").c_str());
    while (true) {
        std::string message;
        const LineEnd end = read_message(*editor, message);
        if (end == LineEnd::closed) return {};
        if (end == LineEnd::cancelled || trim(message).empty()) continue;
        editor->remember(message);
        if (message.starts_with('/')) {
            if (obey(message, conversation) == Next::leave) return {};
            continue;
        }
        const Status status = take_turn(conversation, message);
        if (status.ok() || (status.code() == Code::cancelled && person)) continue;
        if (!person) return status;
        std::fprintf(stderr, "%s\n", styled_message(Style::red, "error: " + status.message()).c_str());
    }
}

Status hold_chat(const Invocation& invocation) {
    const OptionValues& values = invocation.values;
    INGLE_TRY(check_compatibility(values));
    INGLE_ASSIGN(const auto text, given_text(values));
    if (values.flag("single_turn") && !text)
        return fail(Code::invalid_argument, "--single-turn needs a message: -p TEXT or -f FILE");
    platform::count_interrupts();
    INGLE_ASSIGN(const auto conversation, Conversation::open(invocation));
    if (text) INGLE_TRY(take_turn(*conversation, *text));
    return values.flag("single_turn") ? Status() : converse(*conversation);
}

}  // namespace

namespace entries {
extern const Verb chat;
const Verb chat = {
    .name = "chat",
    .group = "Talk",
    .summary = "talk with a model",
    .arguments = "[MODEL]",
    .about = "  ingle chat -m MODEL.gguf\n"
             "  ingle chat -m MODEL.gguf -sys \"Answer like a pirate.\"\n"
             "  ingle chat -m MODEL.gguf -p \"Why is the sky blue?\" --single-turn\n\n"
             "At a terminal /help lists what can be set; Ctrl-C stops an answer. In a pipe every line "
             "is a message.",
    .options = options,
    .run = hold_chat,
};
}  // namespace entries

}  // namespace ingle::cli
