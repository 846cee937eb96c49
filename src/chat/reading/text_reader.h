// What readers of replies share: text that waits, pieces in order, white space at the seams.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chat/reply.h"

namespace ingle::chat {

// Pieces as they are found. White space around reasoning and calls belongs to neither: it is held back until
// content follows it, and dropped behind reasoning and calls.
class PieceList {
  public:
    void reasoning(std::string_view text);
    void end_reasoning();
    void content(std::string_view text);
    void begin_call(std::string_view name, std::string_view id);
    void arguments(std::string_view json);
    // The end of the reply: gives out the white space at the end of the content.
    void finish();
    std::vector<ReplyPiece> take() { return std::exchange(pieces_, {}); }

  private:
    void add(ReplyPiece::Kind kind, std::string_view text);

    std::vector<ReplyPiece> pieces_;
    std::string space_;            // held back
    bool in_reasoning_ = false;
    bool drops_space_ = false;     // content begins after reasoning or a call
    bool has_reasoning_ = false;   // a block of it was given out
    bool has_content_ = false;
    int calls_ = 0;
};

class TextReader : public ReplyReader {
  public:
    std::vector<ReplyPiece> push(std::string_view text) final;
    std::vector<ReplyPiece> finish() final;

  protected:
    // Takes something from the front of rest(). False: it cannot be told before more text comes. `last`: none comes.
    // What it does must not depend on text that has not come yet.
    virtual bool step(bool last) = 0;

    std::string_view rest() const { return std::string_view(text_).substr(at_); }
    void take(size_t bytes) { at_ += bytes; }
    PieceList& pieces() { return pieces_; }

  private:
    void run(bool last);

    std::string bytes_;  // may end in half a character
    std::string text_;   // UTF-8
    size_t at_ = 0;      // taken of it
    PieceList pieces_;
};

}  // namespace ingle::chat
