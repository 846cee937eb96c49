#include "server/reading.h"

namespace ingle::server {

namespace {

// Everything is content.
class PlainReader : public chat::ReplyReader {
  public:
    std::vector<chat::ReplyPiece> push(std::string_view text) override {
        chat::ReplyPiece piece;
        piece.text = text;
        return {piece};
    }
    std::vector<chat::ReplyPiece> finish() override { return {}; }
};

}  // namespace

std::unique_ptr<chat::ReplyReader> make_reader(const ServedModel&, const chat::ReplySetup&) {
    return std::make_unique<PlainReader>();
}

Status prepare_reply(const ServedModel&, const chat::ReplySetup& setup, GenerationRequest&) {
    if (!setup.tools.is_null() && setup.tool_choice != "none" && setup.tool_choice != "auto")
        return fail(Code::unsupported, "'tool_choice': calls cannot be demanded in this version");
    return {};
}

}  // namespace ingle::server
