// Reading a model's reply: what is reasoning, what is content, what are tool calls. How a model writes them is its
// style: one file in styles/ each, recognised from the chat template. See docs/CHAT.md.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chat/reading/style.h"
#include "chat/template.h"
#include "grammar/gbnf/parse.h"

namespace ingle::chat {

// A piece of a reply, in the order of the text. The arguments of a call joined are always a JSON object.
struct ReplyPiece {
    enum class Kind { reasoning, content, call, arguments };
    Kind kind = Kind::content;
    std::string text;  // reasoning, content or a piece of arguments
    int call = 0;      // number of the tool call, from 0
    std::string name;  // of a new call
    std::string id;    // likewise; as the model wrote it, or empty
};

// What a reply may contain.
struct ReplySetup {
    Json tools = {};                   // as in the request; null: none, and nothing is taken for a call
    std::string tool_choice = "auto";  // "none", "auto", "required" or the name of a tool
    bool parallel_calls = true;        // false: calls behind the first are dropped
    bool split_reasoning = true;       // false: reasoning stays in the content, with its marks
    // The last bytes of the prompt: it may have opened the reasoning already. If it ends in the beginning of the
    // reply itself, leave that out here and push it into the reader first.
    std::string prompt_end = {};
};

// Reads one reply as it comes. Joined pieces do not depend on how the text was cut.
class ReplyReader {
  public:
    virtual ~ReplyReader() = default;
    virtual std::vector<ReplyPiece> push(std::string_view text) = 0;
    // At the end of the text: what was held back. A call cut off in its arguments is completed; one cut off before
    // them is content.
    virtual std::vector<ReplyPiece> finish() = 0;
};

// What keeps a reply to a style's calls: Grammar::from_gbnf(gbnf, names of tokens, parts).
struct ReplyGrammar {
    std::string gbnf;
    std::vector<grammar::Part> parts;
    // Lazy: it holds from one of these on; empty: from the start. Where the vocabulary has a token of such a text,
    // that token is a trigger, too.
    std::vector<std::string> trigger_words;
};

// All styles, one for each file of styles/.
std::span<const ReplyStyle* const> reply_styles();
// The style of a template; plain content with <think> for one that no style recognises.
const ReplyStyle& style_of(const ChatTemplate& chat_template);

// Whether the reply to a prompt with this end begins inside a block of reasoning.
bool begins_in_reasoning(const ReplyStyle& style, std::string_view prompt_end);
// What makes a model that is reasoning stop and answer, put behind its text: the end of a budget.
std::string stop_reasoning_text(const ReplyStyle& style);

}  // namespace ingle::chat
