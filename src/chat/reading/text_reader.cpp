#include "chat/reading/text_reader.h"

#include "base/utf8.h"
#include "chat/reading/marks.h"

namespace ingle::chat {

void PieceList::add(ReplyPiece::Kind kind, std::string_view text) {
    if (text.empty()) return;
    if (!pieces_.empty() && pieces_.back().kind == kind) {
        pieces_.back().text += text;
        return;
    }
    ReplyPiece piece;
    piece.kind = kind;
    piece.text = text;
    piece.call = kind == ReplyPiece::Kind::arguments ? calls_ - 1 : 0;
    pieces_.push_back(std::move(piece));
}

void PieceList::reasoning(std::string_view text) {
    if (!in_reasoning_) {
        in_reasoning_ = true;
        space_.clear();
        drops_space_ = true;
    }
    if (drops_space_) {
        text.remove_prefix(white_prefix(text));
        if (text.empty()) return;
        drops_space_ = false;
        if (has_reasoning_) space_ = "\n";
        has_reasoning_ = true;
    }
    space_ += text;
    const size_t end = space_.find_last_not_of(" \t\r\n") + 1;
    add(ReplyPiece::Kind::reasoning, std::string_view(space_).substr(0, end));
    space_.erase(0, end);
}

void PieceList::end_reasoning() {
    in_reasoning_ = false;
    space_.clear();
    drops_space_ = true;
}

void PieceList::content(std::string_view text) {
    if (in_reasoning_) end_reasoning();
    if (drops_space_) {
        text.remove_prefix(white_prefix(text));
        if (text.empty()) return;
        drops_space_ = false;
        if (has_content_) space_ = "\n";
    }
    space_ += text;
    const size_t end = space_.find_last_not_of(" \t\r\n") + 1;
    if (end > 0) has_content_ = true;
    add(ReplyPiece::Kind::content, std::string_view(space_).substr(0, end));
    space_.erase(0, end);
}

void PieceList::begin_call(std::string_view name, std::string_view id) {
    in_reasoning_ = false;
    space_.clear();
    drops_space_ = true;
    ReplyPiece piece;
    piece.kind = ReplyPiece::Kind::call;
    piece.call = calls_++;
    piece.name = name;
    piece.id = id;
    pieces_.push_back(std::move(piece));
}

void PieceList::arguments(std::string_view json) { add(ReplyPiece::Kind::arguments, json); }

void PieceList::finish() {
    if (!in_reasoning_) add(ReplyPiece::Kind::content, space_);
    space_.clear();
}

std::vector<ReplyPiece> TextReader::push(std::string_view text) {
    bytes_ += text;
    const size_t whole = bytes_.size() - utf8::incomplete_tail(bytes_);
    const std::string_view ready = std::string_view(bytes_).substr(0, whole);
    text_ += utf8::valid(ready) ? std::string(ready) : utf8::replace_invalid(ready);
    bytes_.erase(0, whole);
    run(false);
    return pieces_.take();
}

std::vector<ReplyPiece> TextReader::finish() {
    text_ += utf8::replace_invalid(bytes_);
    bytes_.clear();
    run(true);
    pieces_.finish();
    return pieces_.take();
}

void TextReader::run(bool last) {
    while (step(last)) {
    }
    text_.erase(0, at_);
    at_ = 0;
}

}  // namespace ingle::chat
