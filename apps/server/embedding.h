// From texts to vectors: every surface of embeddings goes through here.
#pragma once

#include <functional>

#include "server/error.h"
#include "server/served_model.h"
#include "server/service.h"

namespace ingle::server {

struct EmbeddingJob {
    std::shared_ptr<const ServedModel> model;
    std::vector<std::vector<Token>> inputs;
    Pooling pooling = Pooling::mean;
    bool normalize = true;
    Dialect dialect = Dialect::openai;
    // The whole response from one result an input.
    std::function<Json(const std::vector<Embedding>&)> write;
};

Response embed(EmbeddingJob job, const Request& request, Service& service);

// "mean", "cls", "last" or "none".
Result<Pooling> pooling_of(const std::string& name);
int64_t tokens_of(const std::vector<Embedding>& embeddings);

}  // namespace ingle::server
