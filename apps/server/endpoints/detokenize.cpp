// POST /detokenize: the text of tokens.
#include "server/error.h"
#include "server/served_model.h"
#include "server/service.h"

namespace ingle::server {

namespace {

Result<Json> text_of(const Request& request) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    const auto model = request.model;
    Fields fields(body);
    std::vector<Token> tokens;
    if (const Json* const list = fields.array("tokens")) {
        for (const Json& entry : *list) {
            const auto id = whole(entry);
            if (!id || *id < 0 || *id >= model->tokenizer().size())
                return fail(Code::invalid_argument, "'tokens': expected ids from 0 to ",
                            model->tokenizer().size() - 1, ", found ", quoted(dump(entry), 40));
            tokens.push_back(Token(*id));
        }
    }
    INGLE_TRY(fields.status());
    return Json{{"content", model->tokenizer().decode(tokens, true)}};
}

Response answer(const Request& request, Service&) {
    const auto text = text_of(request);
    return text.ok() ? json_response(*text) : error_response(text.status());
}

}  // namespace

namespace entries {
extern const Endpoint detokenize;
const Endpoint detokenize = {.method = "POST", .path = "/detokenize", .open = false, .respond = answer,
                          .needs_model = true};
}  // namespace entries

}  // namespace ingle::server
