// POST /api/embed and the older /api/embeddings: Ollama's vectors.
#include "server/embedding.h"
#include "server/prompt.h"
#include "server/surfaces/ollama.h"

namespace ingle::server {

namespace {

Result<EmbeddingJob> job_of(const Request& request, Service& service) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    auto model = request.model;
    INGLE_TRY(take_keep_alive(body, *model, service.models()));
    const bool older = request.path == "/api/embeddings";
    const Json* const input = member(body, older ? "prompt" : "input");
    if (input == nullptr) return fail(Code::invalid_argument, older ? "'prompt' is required" : "'input' is required");
    const auto started = Clock::now();
    EmbeddingJob job;
    job.dialect = Dialect::ollama;
    INGLE_ASSIGN(job.inputs, prompts_of(*input, model->tokenizer()));
    const std::string name = model->name;
    job.model = std::move(model);
    job.write = [older, name, started](const std::vector<Embedding>& embeddings) {
        if (older) return Json{{"embedding", embeddings.front().values}};
        Json vectors = Json::array();
        for (const Embedding& embedding : embeddings) vectors.push_back(embedding.values);
        const int64_t spent = std::chrono::nanoseconds(Clock::now() - started).count();
        return Json{{"model", name},
                    {"embeddings", std::move(vectors)},
                    {"total_duration", spent},
                    {"load_duration", 0},
                    {"prompt_eval_count", tokens_of(embeddings)}};
    };
    return job;
}

Response answer(const Request& request, Service& service) {
    auto job = job_of(request, service);
    return job.ok() ? embed(std::move(*job), request, service) : error_response(job.status(), Dialect::ollama);
}

}  // namespace

namespace entries {
extern const Endpoint ollama_embed;
const Endpoint ollama_embed = {.method = "POST", .path = "/api/embed /api/embeddings", .open = false,
                               .respond = answer, .dialect = Dialect::ollama,
                          .needs_model = true};
}  // namespace entries

}  // namespace ingle::server
