// POST /v1/embeddings: OpenAI's, as numbers or as base64 of little-endian floats.
#include <bit>
#include <cstring>

#include "server/embedding.h"
#include "server/prompt.h"

namespace ingle::server {

namespace {

std::string base64_of(const std::vector<float>& values) {
    static_assert(std::endian::native == std::endian::little);
    constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<uint8_t> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    std::string text;
    for (size_t i = 0; i < bytes.size(); i += 3) {
        const size_t there = std::min<size_t>(3, bytes.size() - i);
        uint32_t group = 0;
        for (size_t k = 0; k < 3; ++k) group = group << 8 | (k < there ? bytes[i + k] : 0u);
        for (size_t k = 0; k < 4; ++k) text += k <= there ? letters[group >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

Result<EmbeddingJob> job_of(const Request& request, Service& service) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    auto model = request.model;
    Fields fields(body);
    fields.require("input");
    const std::string format = fields.text("encoding_format", "float");
    const std::string name = fields.text("model", model->name);
    if (format != "float" && format != "base64")
        fields.wrong("'encoding_format': expected float or base64, found " + quoted(format));
    if (member(body, "dimensions") != nullptr) fields.wrong("'dimensions' is not supported by this model");
    INGLE_TRY(fields.status());
    EmbeddingJob job;
    INGLE_ASSIGN(job.pooling, pooling_of(service.settings().pooling));
    if (job.pooling == Pooling::none)
        return fail(Code::invalid_argument, "pooling is none: /embeddings gives a vector for each token, "
                                            "/v1/embeddings needs --pooling mean, cls or last");
    INGLE_ASSIGN(job.inputs, prompts_of(body["input"], model->tokenizer()));
    job.model = std::move(model);
    job.write = [format, name](const std::vector<Embedding>& embeddings) {
        Json data = Json::array();
        for (const Embedding& embedding : embeddings) {
            Json entry = {{"object", "embedding"}, {"index", data.size()}};
            if (format == "base64") entry["embedding"] = base64_of(embedding.values);
            else entry["embedding"] = embedding.values;
            data.push_back(std::move(entry));
        }
        const int64_t tokens = tokens_of(embeddings);
        return Json{{"model", name},
                    {"object", "list"},
                    {"usage", {{"prompt_tokens", tokens}, {"total_tokens", tokens}}},
                    {"data", std::move(data)}};
    };
    return job;
}

Response answer(const Request& request, Service& service) {
    auto job = job_of(request, service);
    return job.ok() ? embed(std::move(*job), request, service) : error_response(job.status());
}

}  // namespace

namespace entries {
extern const Endpoint v1_embeddings;
const Endpoint v1_embeddings = {.method = "POST", .path = "/v1/embeddings", .open = false, .respond = answer,
                          .needs_model = true};
}  // namespace entries

}  // namespace ingle::server
