// Reading a model's reply: what is reasoning, what is content, what are tool calls. How a model writes them is its
// style: one file in styles/ each, recognised from the chat template.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chat/template.h"

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
    Json tools;                      // as in the request; null: none, and nothing is taken for a call
    std::string tool_choice = "auto";  // "none", "auto", "required" or the name of a tool
    bool parallel_calls = true;
    bool split_reasoning = true;     // false: reasoning stays in the content
    std::string prompt_end;          // the last bytes of the prompt: it may have opened the reasoning already
};

// Reads one reply as it comes. Pieces do not depend on how the text was cut.
class ReplyReader {
  public:
    virtual ~ReplyReader() = default;
    virtual std::vector<ReplyPiece> push(std::string_view text) = 0;
    // At the end of the text: what was held back. A call cut off in the middle is completed or given as content.
    virtual std::vector<ReplyPiece> finish() = 0;
};

// What keeps a reply to a style's calls, as a grammar in GBNF.
struct ReplyGrammar {
    std::string gbnf;
    std::vector<std::string> trigger_words;  // lazy: it holds from one of these on; empty: from the start
};

// A way of writing replies.
struct ReplyStyle {
    std::string_view name;
    int rank;  // of two that recognise a template the higher one wins
    bool (*recognises)(std::string_view template_source);
    std::unique_ptr<ReplyReader> (*make_reader)(const ReplySetup& setup);
    // For tool_choice other than "none"; unsupported schemas are errors that name the keyword.
    Result<ReplyGrammar> (*make_grammar)(const ReplySetup& setup);
    std::vector<std::string_view> tokens_kept;  // special tokens that the reader must see as text
};

// The style of a template; plain content for one that no style recognises.
const ReplyStyle& style_of(const ChatTemplate& chat_template);

}  // namespace ingle::chat
