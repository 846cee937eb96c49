// A conversation with a model: messages in, answers out. The prompt is rendered whole each time; what the session
// holds of it already is not computed again.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "chat/reply.h"
#include "chat/template.h"
#include "cli/verb.h"
#include "engine/generate.h"

namespace ingle::cli {

class Conversation {
  public:
    static Result<std::unique_ptr<Conversation>> open(const Invocation& invocation);

    // Sends a user's message and streams the answer to standard output. When the answer was stopped by Ctrl-C its
    // reason is `cancelled`, and what was said stays in the conversation. On failure the message is taken back.
    Result<Generation> say(const std::string& text);

    // Forgets everything but the system message.
    void clear();
    void set_system(const std::string& text);
    // Changes a setting of sampling or of the answer; fails as a wrong flag would.
    Status set(const std::string& name, const std::string& value);

    const chat::Json& messages() const { return messages_; }
    Status set_messages(chat::Json messages);
    const OptionValues& values() const { return values_; }
    const Session& session() const { return *session_; }

  private:
    explicit Conversation(OptionValues values) : values_(std::move(values)) {}
    Status prepare(const Invocation& invocation);
    Result<chat::Rendered> render() const;
    // Special tokens only from the template's own words.
    Result<std::vector<Token>> tokens_of(const chat::Rendered& rendered) const;
    // Keeps what the session and the prompt have in common; returns the rest of the prompt.
    std::span<const Token> keep_common(const std::vector<Token>& prompt);
    // Whether marks of the style are control tokens, which have to be shown to be read.
    bool reads_control_tokens() const;
    // Adds the answer to the messages.
    Result<Generation> respond();

    OptionValues values_;
    chat::Json messages_ = chat::Json::array();
    chat::ChatInput input_;  // everything but the messages
    std::optional<chat::ChatTemplate> template_;
    std::unique_ptr<Session> session_;
    std::optional<sampling::Chain> chain_;
    std::unique_ptr<GrammarMask> grammar_;  // of every answer; null: none
};

}  // namespace ingle::cli
