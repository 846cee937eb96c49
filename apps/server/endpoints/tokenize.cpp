// POST /tokenize: the tokens of a text.
#include "base/utf8.h"
#include "server/error.h"
#include "server/served_model.h"
#include "server/service.h"

namespace ingle::server {

namespace {

// A piece that is no whole character is given as its bytes.
Json piece_json(const std::string& piece) {
    if (utf8::valid(piece)) return piece;
    Json bytes = Json::array();
    for (const char byte : piece) bytes.push_back(uint8_t(byte));
    return bytes;
}

Result<Json> tokens_of(const Request& request) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    const auto model = request.model;
    Fields fields(body);
    const std::string content = fields.text("content");
    const bool add_special = fields.flag("add_special", false);
    const bool parse_special = fields.flag("parse_special", true);
    const bool with_pieces = fields.flag("with_pieces", false);
    INGLE_TRY(fields.status());
    const Tokenizer& tokenizer = model->tokenizer();
    Json list = Json::array();
    for (const Token token :
         tokenizer.encode(content, {.add_special = add_special, .parse_special = parse_special})) {
        if (with_pieces)
            list.push_back({{"id", token}, {"piece", piece_json(tokenizer.piece(token, true))}});
        else
            list.push_back(token);
    }
    return Json{{"tokens", std::move(list)}};
}

Response answer(const Request& request, Service&) {
    const auto tokens = tokens_of(request);
    return tokens.ok() ? json_response(*tokens) : error_response(tokens.status());
}

}  // namespace

namespace entries {
extern const Endpoint tokenize;
const Endpoint tokenize = {.method = "POST", .path = "/tokenize", .open = false, .respond = answer,
                          .needs_model = true};
}  // namespace entries

}  // namespace ingle::server
