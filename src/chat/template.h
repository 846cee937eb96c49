// A chat template: Jinja source from a model file, a built-in name, a file or inline text, made
// ready to render. Renders as transformers' apply_chat_template does (Jinja2 3.1, sandboxed,
// trim_blocks, lstrip_blocks, loopcontrols, {% generation %}, tojson without HTML escapes,
// raise_exception, strftime_now).
#pragma once

#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "chat/jinja/limits.h"
#include "chat/rendered.h"

namespace ingle::chat {

// Keeps the order of keys: templates print objects as they came.
using Json = nlohmann::ordered_json;

// Whether messages may be reshaped to what a template can digest: null content becomes "", tool
// arguments given as JSON text become objects, and typed content parts become plain text.
enum class Adapt {
    never,       // the messages as they are, as Jinja2 would render them
    on_failure,  // only when plain rendering fails
    by_probe,    // also when the template's capabilities say that it would garble them (servers)
};

struct ChatInput {
    Json messages = Json::array();
    Json tools;      // null: not defined in the template
    Json documents;  // null: not defined in the template
    // Nothing: not defined in the template, which most take for false.
    std::optional<bool> add_generation_prompt = true;
    std::optional<bool> enable_thinking;  // nothing: not defined in the template
    // Any further variables, and replacements of those above (null stays a defined none).
    Json variables = Json::object();
    std::string bos_token;
    std::string eos_token;
    // What strftime_now sees, broken-down local time; nothing: the clock of the machine.
    std::optional<std::tm> now;
    Adapt adapt = Adapt::on_failure;
};

// What a template can do, found by rendering small conversations.
struct Capabilities {
    bool system_role = false;   // a system message reaches the prompt
    bool tools = false;         // tool descriptions reach the prompt
    bool tool_calls = false;    // an assistant's tool calls reach the prompt
    bool tool_results = false;  // messages of role "tool" reach the prompt
    bool object_arguments =
        false;                    // tool arguments must be objects; JSON text would be quoted twice
    bool text_arguments = false;  // tool arguments must be JSON text; objects fail
    bool null_content = false;    // assistant content may be null
    bool text_content = false;    // content may be plain text
    bool typed_content = false;   // content may be a list of parts
    bool enable_thinking = false;    // the variable enable_thinking changes the prompt
    bool generation_prompt = false;  // the variable add_generation_prompt changes the prompt
};

class ChatTemplate {
  public:
    // Fails with line and column if the source is no template; then nothing may be rendered, but a
    // model stays usable for raw completion: callers warn and go on.
    static Result<ChatTemplate> parse(std::string source, const jinja::Limits& limits = {});

    // Thread-safe. Errors carry line and column in the template. Code::limit when a limit was
    // reached.
    Result<Rendered> render(const ChatInput& input) const;

    const std::string& source() const;
    // Probed at the first call, then remembered. Thread-safe.
    const Capabilities& capabilities() const;

  private:
    struct State;
    std::shared_ptr<State> state_;
};

// "2024-07-26 12:34:56", "2024-07-26T12:34:56" or "2024-07-26" for ChatInput::now.
Result<std::tm> parse_clock(std::string_view text);

}  // namespace ingle::chat
