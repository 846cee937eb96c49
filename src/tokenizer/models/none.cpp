// No vocabulary: models that are fed embeddings or ids. Every text has no tokens.
#include "tokenizer/algorithm.h"

namespace ingle::tokenizer {
namespace {

class Nothing : public Encoder {
  public:
    void encode(std::string_view, std::vector<Token>&) const override {}
    void append_piece(std::string_view, TokenType, std::string&) const override {}
};

Result<std::unique_ptr<const Encoder>> make(Vocabulary&) {
    return std::unique_ptr<const Encoder>(std::make_unique<Nothing>());
}

}  // namespace

namespace entries {

extern const Algorithm none;
const Algorithm none{.names = "none no_vocab", .make = make};

}  // namespace entries
}  // namespace ingle::tokenizer
