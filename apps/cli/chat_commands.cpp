#include "cli/chat_commands.h"

#include <cstdio>
#include <span>

#include "base/file.h"
#include "cli/options/chat_template.h"
#include "cli/terminal.h"

namespace ingle::cli {

namespace {

void tell(const std::string& text) {
    std::fprintf(stderr, "%s\n", styled_message(Style::dim, text).c_str());
}

// The first word, and the rest without the spaces between.
std::pair<std::string, std::string> first_word(std::string_view text) {
    text = trim(text);
    const size_t space = text.find(' ');
    if (space == std::string_view::npos) return {std::string(text), ""};
    return {std::string(text.substr(0, space)), std::string(trim(text.substr(space)))};
}

Status set(const std::string& rest, Conversation& conversation) {
    auto [name, value] = first_word(rest);
    if (name.empty()) return fail(Code::invalid_argument, "/set NAME VALUE, or /set system TEXT");
    for (char& c : name)
        if (c == '-') c = '_';
    if (name == "system") {
        conversation.set_system(value);
        return {};
    }
    return conversation.set(name, value);
}

std::string text_of(const OptionValues& values, const Option& option) {
    struct Show {
        std::string operator()(bool value) const { return value ? "on" : "off"; }
        std::string operator()(int64_t value) const { return cat(value); }
        std::string operator()(double value) const { return cat(value); }
        std::string operator()(const std::string& value) const { return value; }
        std::string operator()(const std::vector<std::string>& value) const {
            std::string all;
            for (const std::string& word : value) all += (all.empty() ? "" : " ") + ingle::quoted(word);
            return all;
        }
    };
    if (std::holds_alternative<bool>(option.default_value)) return Show()(values.flag(option.name));
    if (std::holds_alternative<int64_t>(option.default_value))
        return Show()(values.integer(option.name));
    if (std::holds_alternative<double>(option.default_value)) return Show()(values.real(option.name));
    if (std::holds_alternative<std::string>(option.default_value))
        return Show()(values.text(option.name));
    return Show()(values.list(option.name));
}

Status show(const std::string& what, Conversation& conversation) {
    const OptionValues& values = conversation.values();
    const Session& session = conversation.session();
    if (what == "messages") {
        tell(conversation.messages().dump(2, ' ', false, chat::Json::error_handler_t::replace));
    } else if (what == "settings") {
        for (const Option& option : values.options())
            if (values.given(option.name)) tell(cat(option.name, " = ", text_of(values, option)));
    } else if (what.empty() || what == "model") {
        tell(session.model().description());
        tell(cat(session.length(), " of ", session.context_tokens(), " tokens of context used; ",
                 session.model().runtime().threads(), " threads"));
    } else if (const Option* const option = values.find(what)) {
        tell(cat(option->name, " = ", text_of(values, *option)));
    } else {
        return fail(Code::invalid_argument, "/show model, /show settings, /show messages, or one "
                                            "setting by name");
    }
    return {};
}

Status save(const std::string& path, Conversation& conversation) {
    if (path.empty()) return fail(Code::invalid_argument, "/save FILE");
    const chat::Json document = {{"messages", conversation.messages()}};
    const std::string text =
        document.dump(2, ' ', false, chat::Json::error_handler_t::replace) + "\n";
    return write_file_atomically(path, std::as_bytes(std::span(text)));
}

Status load(const std::string& path, Conversation& conversation) {
    if (path.empty()) return fail(Code::invalid_argument, "/load FILE");
    INGLE_ASSIGN(const std::string text, read_file(path));
    INGLE_ASSIGN(chat::Json document, parse_json(text, path));
    if (!document.is_object() || !document.contains("messages"))
        return fail(Code::corrupt, path, ": expected an object with messages");
    return conversation.set_messages(std::move(document["messages"]));
}

Status clear(const std::string&, Conversation& conversation) {
    conversation.clear();
    return {};
}

struct Command {
    std::string_view name;
    std::string_view usage;
    std::string_view meaning;
    Status (*run)(const std::string& rest, Conversation& conversation);
};

constexpr Command commands[] = {
    {"/set", "/set NAME VALUE", "change a setting, e.g. /set temperature 0.2, or /set system TEXT", set},
    {"/show", "/show [WHAT]", "model, settings, messages, or one setting by name", show},
    {"/save", "/save FILE", "write the conversation to a file", save},
    {"/load", "/load FILE", "take a conversation up again", load},
    {"/clear", "/clear", "forget the conversation", clear},
    {"/help", "/help", "this list", nullptr},
    {"/bye", "/bye", "leave (also Ctrl-D)", nullptr},
};

void list_commands() {
    for (const Command& command : commands) {
        std::string line = "  " + std::string(command.usage);
        line.resize(std::max<size_t>(line.size() + 1, 20), ' ');
        tell(line + std::string(command.meaning));
    }
    tell("  \"\"\"                 begins and ends a text of several lines; a \\ at the end of a line "
         "goes on");
    tell("  Ctrl-C              stops an answer");
}

}  // namespace

Next obey(const std::string& line, Conversation& conversation) {
    const auto [name, rest] = first_word(line);
    if (name == "/bye" || name == "/exit" || name == "/quit") return Next::leave;
    std::vector<std::string_view> names;
    for (const Command& command : commands) {
        names.push_back(command.name);
        if (command.name != name) continue;
        if (command.run == nullptr) {
            list_commands();
        } else if (const Status status = command.run(rest, conversation); !status.ok()) {
            tell("error: " + status.message());
        } else if (command.run != show) {
            tell("done");
        }
        return Next::go_on;
    }
    const std::string_view near = closest(name, names);
    tell(cat("error: no such command: ", name,
             near.empty() ? "; /help lists them" : cat("; did you mean ", near, "?")));
    return Next::go_on;
}

}  // namespace ingle::cli
