// POST /v1/rerank: needs a model with a ranking head, which no supported architecture has.
#include "server/error.h"

namespace ingle::server {

namespace {

Response answer(const Request&, Service&) {
    return error_response(fail(Code::unsupported, "this model has no ranking head: reranking is not supported"));
}

}  // namespace

namespace entries {
extern const Endpoint rerank;
const Endpoint rerank = {.method = "POST", .path = "/v1/rerank /rerank /reranking /v1/reranking",
                         .open = false, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
