// POST /embedding, /embeddings: llama-server's own, which can also give a vector for each token.
#include "server/embedding.h"
#include "server/prompt.h"

namespace ingle::server {

namespace {

// Rows of one vector each.
Json rows_json(const Embedding& embedding, bool each_token) {
    const size_t rows = each_token ? size_t(embedding.tokens) : 1;
    const size_t columns = rows == 0 ? 0 : embedding.values.size() / rows;
    Json list = Json::array();
    for (size_t row = 0; row < rows; ++row) {
        const auto begin = embedding.values.begin() + std::ptrdiff_t(row * columns);
        list.push_back(std::vector<float>(begin, begin + std::ptrdiff_t(columns)));
    }
    return list;
}

Result<EmbeddingJob> job_of(const Request& request, Service& service) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    auto model = request.model;
    const Json* input = member(body, "content");
    if (input == nullptr) input = member(body, "input");
    if (input == nullptr) return fail(Code::invalid_argument, "'content' is required");
    Fields fields(body);
    EmbeddingJob job;
    job.normalize = fields.integer("embd_normalize", 2) >= 0;
    INGLE_TRY(fields.status());
    INGLE_ASSIGN(job.pooling, pooling_of(service.settings().pooling));
    if (job.pooling == Pooling::none) job.normalize = false;
    INGLE_ASSIGN(job.inputs, prompts_of(*input, model->tokenizer()));
    job.model = std::move(model);
    job.write = [each_token = job.pooling == Pooling::none](const std::vector<Embedding>& embeddings) {
        Json list = Json::array();
        for (const Embedding& embedding : embeddings)
            list.push_back({{"index", list.size()}, {"embedding", rows_json(embedding, each_token)}});
        return list;
    };
    return job;
}

Response answer(const Request& request, Service& service) {
    auto job = job_of(request, service);
    return job.ok() ? embed(std::move(*job), request, service) : error_response(job.status());
}

}  // namespace

namespace entries {
extern const Endpoint embeddings;
const Endpoint embeddings = {.method = "POST", .path = "/embeddings /embedding", .open = false,
                             .respond = answer,
                          .needs_model = true};
}  // namespace entries

}  // namespace ingle::server
