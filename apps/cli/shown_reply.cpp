#include "cli/shown_reply.h"

#include <cstdio>

#include "cli/terminal.h"

namespace ingle::cli {

void ShownReply::show_reasoning(const std::string& text) {
    std::FILE* const stream = decorated_output() ? stdout : stderr;
    const std::string shown = decorated_output() ? styled_output(Style::dim, text) : styled_message(Style::dim, text);
    std::fwrite(shown.data(), 1, shown.size(), stream);
}

bool ShownReply::show(const std::vector<chat::ReplyPiece>& pieces) {
    using Kind = chat::ReplyPiece::Kind;
    for (const chat::ReplyPiece& piece : pieces) {
        if (piece.kind == Kind::reasoning) {
            reasoning_ += piece.text;
            if (!silent_) show_reasoning(piece.text);
        } else if (piece.kind == Kind::content) {
            if (!silent_ && content_.empty() && !reasoning_.empty()) show_reasoning("\n\n");
            content_ += piece.text;
            if (!silent_) std::fwrite(piece.text.data(), 1, piece.text.size(), stdout);
        }
    }
    return silent_ || std::fflush(stdout) == 0;
}

}  // namespace ingle::cli
