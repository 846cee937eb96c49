#include "cli/conversation.h"

#include <algorithm>

#include "base/file.h"
#include "base/platform.h"
#include "cli/answer.h"
#include "cli/options/chat_template.h"
#include "cli/options/engine.h"
#include "cli/options/grammar.h"
#include "cli/shown_reply.h"

namespace ingle::cli {

namespace {

std::vector<TextPiece> pieces_of(const chat::Rendered& rendered) {
    const std::string_view text = rendered.text;
    std::vector<TextPiece> pieces;
    size_t done = 0;
    for (const chat::Range& range : rendered.untrusted) {
        if (range.begin > done)
            pieces.push_back({text.substr(done, range.begin - done), true});
        pieces.push_back({text.substr(range.begin, range.end - range.begin), false});
        done = range.end;
    }
    if (done < text.size()) pieces.push_back({text.substr(done), true});
    return pieces;
}

Result<std::string> system_text_of(const OptionValues& values) {
    if (!values.given("system_prompt_file")) return values.text("system_prompt");
    return read_file(values.text("system_prompt_file"));
}

}  // namespace

Result<std::unique_ptr<Conversation>> Conversation::open(const Invocation& invocation) {
    std::unique_ptr<Conversation> conversation(new Conversation(invocation.values));
    INGLE_TRY(conversation->prepare(invocation));
    return conversation;
}

Status Conversation::prepare(const Invocation& invocation) {
    INGLE_ASSIGN(const std::string system, system_text_of(values_));
    INGLE_ASSIGN(const auto model, load_model(invocation));
    INGLE_ASSIGN(template_, choose_template(values_, &model->file()));
    INGLE_ASSIGN(const SessionOptions settings, session_options(values_, model));
    INGLE_ASSIGN(session_, Session::open(model, settings));
    INGLE_ASSIGN(chain_, make_chain(values_, *session_));
    const Tokenizer& tokenizer = *model->tokenizer();
    INGLE_ASSIGN(grammar_, make_grammar_mask(values_, tokenizer));
    input_.bos_token = tokenizer.piece(tokenizer.special().bos, true);
    input_.eos_token = tokenizer.piece(tokenizer.special().eos, true);
    input_.adapt = chat::Adapt::by_probe;
    if (values_.given("chat_template_kwargs")) {
        INGLE_ASSIGN(input_.variables,
                     parse_json(values_.text("chat_template_kwargs"), "--chat-template-kwargs"));
    }
    if (values_.given("now")) {
        INGLE_ASSIGN(input_.now, chat::parse_clock(values_.text("now")));
    }
    if (values_.text("reasoning") != "auto") input_.enable_thinking = values_.text("reasoning") == "on";
    if (!system.empty()) set_system(system);
    return {};
}

Result<chat::Rendered> Conversation::render() const {
    chat::ChatInput input = input_;
    input.messages = messages_;
    return template_->render(input);
}

Result<std::vector<Token>> Conversation::tokens_of(const chat::Rendered& rendered) const {
    return session_->model().tokenizer()->encode(pieces_of(rendered), true);
}

bool Conversation::reads_control_tokens() const {
    const Tokenizer& tokenizer = *session_->model().tokenizer();
    const auto marks = chat::style_of(*template_).tokens_kept();
    return std::any_of(marks.begin(), marks.end(), [&](std::string_view mark) {
        const Token token = tokenizer.find(mark);
        return token != no_token && tokenizer.is_control(token);
    });
}

std::span<const Token> Conversation::keep_common(const std::vector<Token>& prompt) {
    const auto held = session_->tokens();
    const auto [there, here] = std::ranges::mismatch(held, prompt);
    // The last token is always computed: its logits are wanted.
    const size_t common = std::min(size_t(here - prompt.begin()), prompt.size() - 1);
    session_->truncate(int64_t(common));
    return std::span(prompt).subspan(size_t(session_->length()));
}

Result<Generation> Conversation::respond() {
    INGLE_ASSIGN(const chat::Rendered rendered, render());
    INGLE_ASSIGN(const auto prompt, tokens_of(rendered));
    if (prompt.empty()) return fail(Code::invalid_argument, "the template made an empty prompt");
    const std::span<const Token> rest = keep_common(prompt);
    if (session_->held() + int64_t(rest.size()) > session_->context_tokens() && !session_->shifts())
        return fail(Code::limit, "the conversation has ", prompt.size(),
                    " tokens, the context holds ", session_->context_tokens());
    GenerateOptions options = generate_options(values_);
    options.begins_text = true;
    options.show_special = options.show_special || reads_control_tokens();
    if (grammar_) grammar_->reset();
    options.grammar = grammar_.get();
    chat::ReplySetup setup;
    setup.prompt_end = rendered.text.substr(rendered.text.size() - std::min<size_t>(rendered.text.size(), 256));
    setup.split_reasoning = !values_.flag("special");
    ShownReply reply(chat::style_of(*template_).make_reader(setup), values_.flag("json"));
    const int interrupts_before = platform::interrupts();
    INGLE_ASSIGN(Generation generation,
                 generate(*session_, rest, *chain_, options, [&](std::string_view text) {
                     return reply.push(text) && platform::interrupts() == interrupts_before;
                 }));
    reply.finish();
    chat::Json message = {{"role", "assistant"}, {"content", reply.content()}};
    if (!reply.reasoning().empty()) message["reasoning_content"] = reply.reasoning();
    messages_.push_back(std::move(message));
    return generation;
}

Result<Generation> Conversation::say(const std::string& text) {
    messages_.push_back({{"role", "user"}, {"content", text}});
    auto generation = respond();
    if (!generation.ok()) messages_.erase(messages_.size() - 1);
    return generation;
}

void Conversation::clear() {
    const bool has_system = !messages_.empty() && messages_[0]["role"] == "system";
    messages_.erase(messages_.begin() + (has_system ? 1 : 0), messages_.end());
    chain_->reset();
}

void Conversation::set_system(const std::string& text) {
    const bool has_system = !messages_.empty() && messages_[0]["role"] == "system";
    if (has_system) messages_.erase(0);
    if (!text.empty())
        messages_.insert(messages_.begin(), chat::Json::object({{"role", "system"}, {"content", text}}));
}

Status Conversation::set(const std::string& name, const std::string& value) {
    OptionValues changed = values_;
    INGLE_TRY(changed.set_text(name, value));
    INGLE_ASSIGN(chain_, make_chain(changed, *session_));
    values_ = std::move(changed);
    return {};
}

Status Conversation::set_messages(chat::Json messages) {
    if (!messages.is_array())
        return fail(Code::corrupt, "expected a list of messages with role and content");
    for (const chat::Json& message : messages)
        if (!message.is_object() || !message.contains("role") || !message["role"].is_string())
            return fail(Code::corrupt, "expected a list of messages with role and content");
    messages_ = std::move(messages);
    chain_->reset();
    return {};
}

}  // namespace ingle::cli
