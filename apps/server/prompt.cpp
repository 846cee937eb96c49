#include "server/prompt.h"

#include <ctime>

#include "base/platform.h"
#include "server/service.h"

namespace ingle::server {

namespace {

constexpr size_t prompts_max = 1024;

bool is_tokens_and_texts(const Json& list) {
    bool has_number = false;
    for (const Json& entry : list) {
        if (entry.is_number()) has_number = true;
        else if (!entry.is_string()) return false;
    }
    return has_number;
}

Result<Token> token_of(const Json& number, const Tokenizer& tokenizer) {
    const auto id = whole(number);
    if (!id || *id < 0 || *id >= tokenizer.size())
        return fail(Code::invalid_argument, "'prompt': expected token ids from 0 to ", tokenizer.size() - 1,
                    ", found ", quoted(dump(number), 40));
    return Token(*id);
}

Result<std::vector<Token>> one_prompt(const Json& prompt, const Tokenizer& tokenizer) {
    std::vector<Token> tokens;
    if (prompt.is_string()) {
        tokens = tokenizer.encode(prompt.get<std::string>());
        if (tokens.empty() && tokenizer.special().bos != no_token)
            tokens.push_back(tokenizer.special().bos);
    } else if (prompt.is_array()) {
        bool first = true;
        for (const Json& entry : prompt) {
            if (entry.is_string()) {
                const auto more = tokenizer.encode(entry.get<std::string>(), {.add_special = first});
                tokens.insert(tokens.end(), more.begin(), more.end());
            } else {
                INGLE_ASSIGN(const Token token, token_of(entry, tokenizer));
                tokens.push_back(token);
            }
            first = false;
        }
    } else if (const Json* const text = member(prompt, "prompt_string"); text != nullptr && text->is_string()) {
        const Json* const media = member(prompt, "multimodal_data");
        if (media != nullptr && !(media->is_array() && media->empty()))
            return fail(Code::invalid_argument, "'multimodal_data': this model takes text only");
        return one_prompt(*text, tokenizer);
    } else {
        return fail(Code::invalid_argument, "'prompt': expected a text or a list of tokens, found ",
                    quoted(dump(prompt), 60));
    }
    if (tokens.empty())
        return fail(Code::invalid_argument, "'prompt' is empty, and this model has no token that begins a text");
    return tokens;
}

// Checks what a template would otherwise trip over.
Status check_message(const Json& message, size_t index) {
    const auto wrong = [index](const char* what) {
        return fail(Code::invalid_argument, "'messages[", index, "]': ", what);
    };
    if (!message.is_object()) return wrong("expected an object");
    const Json* const role = member(message, "role");
    if (role == nullptr || !role->is_string()) return wrong("'role' is required");
    const Json* const content = member(message, "content");
    if (content == nullptr) {
        const bool may_be_empty = message.contains("tool_calls") || message.contains("reasoning_content") ||
                                  message.contains("content");
        return may_be_empty ? Status() : wrong("'content' is required");
    }
    if (content->is_string()) return {};
    if (!content->is_array()) return wrong("'content': expected a text or a list of parts");
    for (const Json& part : *content) {
        const Json* const type = member(part, "type");
        if (type == nullptr || !type->is_string()) return wrong("a part of 'content' has no 'type'");
        const std::string name = type->get<std::string>();
        if (name == "image_url" || name == "image") return wrong("image input is not supported by this model");
        if (name == "input_audio" || name == "input_video")
            return wrong("audio and video input are not supported by this model");
        const Json* const text = member(part, "text");
        if (text == nullptr || !text->is_string()) return wrong("a part of 'content' has no 'text'");
    }
    return {};
}

std::string text_of(const Json& message) {
    const Json* const content = member(message, "content");
    if (content == nullptr) return {};
    if (content->is_string()) return content->get<std::string>();
    std::string text;
    for (const Json& part : *content) text += (text.empty() ? "" : "\n\n") + part["text"].get<std::string>();
    return text;
}

// Several texts in a row to one: few templates can read parts.
Json plain_message(Json message) {
    const Json* const content = member(message, "content");
    if (content == nullptr || !content->is_array()) return message;
    std::string joined;
    for (const Json& part : *content)
        joined += (joined.empty() ? "" : "\n") + part["text"].get<std::string>();
    message["content"] = std::move(joined);
    return message;
}

std::vector<TextPiece> pieces_of(const chat::Rendered& rendered) {
    const std::string_view text = rendered.text;
    std::vector<TextPiece> pieces;
    size_t done = 0;
    for (const chat::Range& range : rendered.untrusted) {
        if (range.begin > done) pieces.push_back({text.substr(done, range.begin - done), true});
        pieces.push_back({text.substr(range.begin, range.end - range.begin), false});
        done = range.end;
    }
    if (done < text.size()) pieces.push_back({text.substr(done), true});
    return pieces;
}

// Whether the last message is the beginning of the answer.
Result<bool> wants_prefill(const Json& request, const Settings& settings) {
    Fields fields(request);
    const Json* const continues = member(request, "continue_final_message");
    const bool generation = fields.flag("add_generation_prompt", true);
    const bool asked = fields.flag("continue_final_message");
    INGLE_TRY(fields.status());
    if (asked && generation && member(request, "add_generation_prompt") != nullptr)
        return fail(Code::invalid_argument,
                    "'continue_final_message' and 'add_generation_prompt' exclude each other");
    if (continues != nullptr) return asked;
    return settings.prefill_assistant && generation;
}

// The functions of tools as a text of JSON.
std::string functions_text(const Json& tools) {
    Json functions = Json::array();
    for (const Json& tool : tools)
        if (const Json* const function = member(tool, "function")) functions.push_back(*function);
    return functions.dump(4, ' ', false, Json::error_handler_t::replace);
}

Status take_variables(const Json& request, const ServedModel& model, chat::ChatInput& input) {
    Fields fields(request);
    input.variables = model.template_variables;
    if (const Json* const kwargs = fields.object("chat_template_kwargs"))
        input.variables.update(*kwargs);
    if (const std::string effort = fields.text("reasoning_effort"); !effort.empty())
        input.variables["reasoning_effort"] = effort;
    // Templates that know no strftime_now ask for these.
    const std::tm now = platform::local_time(std::time_t(unix_seconds()));
    for (const auto& [name, format] : {std::pair("date_string", "%d %b %Y"), std::pair("datetime", "%b %d %Y")}) {
        char text[32];
        const size_t length = std::strftime(text, sizeof text, format, &now);
        if (!input.variables.contains(name)) input.variables[name] = std::string(text, length);
    }
    // As llama-server has it: who can think does, unless told otherwise.
    input.enable_thinking = model.thinking.value_or(true);
    if (const Json* const thinking = member(input.variables, "enable_thinking")) {
        if (!thinking->is_boolean()) fields.wrong("'enable_thinking': expected true or false");
        else input.enable_thinking = thinking->get<bool>();
    }
    const std::string choice = request.contains("tool_choice") && request["tool_choice"].is_string()
                                   ? request["tool_choice"].get<std::string>()
                                   : std::string();
    const Json* const tools = fields.array("tools");
    if (tools != nullptr && !tools->empty() && choice != "none") input.tools = *tools;
    // Firefunction's template wants them written out.
    if (!input.variables.contains("functions")) input.variables["functions"] = functions_text(input.tools);
    if (const Json* const documents = fields.array("documents")) input.documents = *documents;
    return fields.status();
}

}  // namespace

Result<std::vector<std::vector<Token>>> prompts_of(const Json& prompt, const Tokenizer& tokenizer) {
    std::vector<std::vector<Token>> prompts;
    if (!prompt.is_array() || is_tokens_and_texts(prompt)) {
        INGLE_ASSIGN(auto tokens, one_prompt(prompt, tokenizer));
        prompts.push_back(std::move(tokens));
        return prompts;
    }
    if (prompt.empty() || prompt.size() > prompts_max)
        return fail(Code::invalid_argument, "'prompt': expected 1 to ", prompts_max, " prompts, found ",
                    prompt.size());
    for (const Json& entry : prompt) {
        INGLE_ASSIGN(auto tokens, one_prompt(entry, tokenizer));
        prompts.push_back(std::move(tokens));
    }
    return prompts;
}

Result<ChatPrompt> chat_prompt_of(const Json& request, const ServedModel& model,
                                  const Settings& settings) {
    if (!model.chat_template)
        return fail(Code::invalid_argument, "this model cannot chat: ", model.template_fault);
    const Json* const messages = member(request, "messages");
    if (messages == nullptr) return fail(Code::invalid_argument, "'messages' is required");
    if (!messages->is_array() || messages->empty())
        return fail(Code::invalid_argument, "'messages': expected a list of messages");
    chat::ChatInput input;
    for (size_t i = 0; i < messages->size(); ++i) {
        INGLE_TRY(check_message((*messages)[i], i));
        input.messages.push_back((*messages)[i]);
    }
    INGLE_TRY(take_variables(request, model, input));
    input.bos_token = model.bos_text;
    input.eos_token = model.eos_text;
    input.adapt = chat::Adapt::by_probe;
    INGLE_ASSIGN(const bool prefill, wants_prefill(request, settings));
    input.add_generation_prompt = Fields(request).flag("add_generation_prompt", true);

    ChatPrompt prompt;
    const bool last_is_answer = input.messages.back()["role"] == "assistant" &&
                                !input.messages.back().contains("tool_calls");
    if (prefill && last_is_answer && input.messages.size() > 1) {
        if (input.messages[input.messages.size() - 2]["role"] == "assistant")
            return fail(Code::invalid_argument, "'messages': the last two are both the assistant's");
        prompt.prefill = text_of(input.messages.back());
        input.messages.erase(input.messages.size() - 1);
        input.add_generation_prompt = true;
    }
    for (Json& message : input.messages) message = plain_message(std::move(message));

    INGLE_ASSIGN(chat::Rendered rendered, model.chat_template->render(input));
    if (!prompt.prefill.empty()) {
        const size_t begin = rendered.text.size();
        rendered.text += prompt.prefill;
        rendered.untrusted.push_back({begin, rendered.text.size()});
    }
    prompt.tokens = model.tokenizer().encode(pieces_of(rendered), true);
    if (prompt.tokens.empty())
        return fail(Code::invalid_argument, "the chat template made an empty prompt of these messages");
    prompt.text = std::move(rendered.text);
    return prompt;
}

}  // namespace ingle::server
