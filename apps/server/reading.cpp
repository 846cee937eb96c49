#include "server/reading.h"

#include <algorithm>

#include "engine/grammar_mask.h"
#include "server/json.h"

namespace ingle::server {

namespace {

bool is_strict(const Json& tool) {
    const Json* const function = member(tool, "function");
    const Json* const strict = function == nullptr ? nullptr : member(*function, "strict");
    return strict != nullptr && strict->is_boolean() && strict->get<bool>();
}

// A reply is held to calls where the request demands one, and from the beginning of a call on where a tool is strict.
bool demands_form(const chat::ReplySetup& setup) {
    if (!setup.tools.is_array() || setup.tool_choice == "none") return false;
    return setup.tool_choice != "auto" || std::ranges::any_of(setup.tools, is_strict);
}

}  // namespace

std::unique_ptr<chat::ReplyReader> make_reader(const ServedModel& model, const chat::ReplySetup& setup) {
    return chat::style_of(*model.chat_template).make_reader(setup);
}

Status prepare_reply(const ServedModel& model, const chat::ReplySetup& setup, GenerationRequest& wanted) {
    const chat::ReplyStyle& style = chat::style_of(*model.chat_template);
    const Tokenizer& tokenizer = model.tokenizer();
    for (const std::string_view text : style.tokens_kept())
        wanted.show_special = wanted.show_special || tokenizer.find(text) != no_token;
    if (!demands_form(setup)) return {};
    if (wanted.grammar)
        return fail(Code::invalid_argument, "tools that must be called or are strict, and another field that says "
                                            "what the answer looks like, exclude each other");
    INGLE_ASSIGN(chat::ReplyGrammar made, style.make_grammar(setup));
    INGLE_ASSIGN(wanted.grammar, grammar::Grammar::from_gbnf(made.gbnf, token_names_of(tokenizer), made.parts));
    for (const std::string& word : made.trigger_words)
        if (const Token token = tokenizer.find(word); token != no_token) wanted.triggers.tokens.push_back(uint32_t(token));
    wanted.triggers.words = std::move(made.trigger_words);
    return {};
}

}  // namespace ingle::server
