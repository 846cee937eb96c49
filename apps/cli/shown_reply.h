// Shows a reply as it comes: content on standard output; reasoning dimmed before it at a terminal, and on standard error
// where standard output is a pipe or file.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "chat/reply.h"

namespace ingle::cli {

class ShownReply {
  public:
    // Silent: nothing is shown, only told apart.
    ShownReply(std::unique_ptr<chat::ReplyReader> reader, bool silent)
        : reader_(std::move(reader)), silent_(silent) {}

    // False if standard output is closed.
    bool push(std::string_view text) { return show(reader_->push(text)); }
    bool finish() { return show(reader_->finish()); }

    const std::string& content() const { return content_; }
    const std::string& reasoning() const { return reasoning_; }

  private:
    bool show(const std::vector<chat::ReplyPiece>& pieces);
    void show_reasoning(const std::string& text);

    std::unique_ptr<chat::ReplyReader> reader_;
    bool silent_;
    std::string content_, reasoning_;
};

}  // namespace ingle::cli
