// POST /v1/rerank: how well documents answer a query, best first; the form of Jina and Cohere ("documents"), and that of
// Hugging Face's server ("texts").
#include <algorithm>

#include "server/embedding.h"
#include "server/prompt.h"

namespace ingle::server {

namespace {

constexpr size_t documents_max = 4096;

// What the model reads: its own template for it, or query and document with the marks of their ends.
std::vector<Token> pair_of(const ServedModel& model, const std::string& query, const std::string& document) {
    const Tokenizer& tokenizer = model.tokenizer();
    const std::string source(model.engine->model().file().metadata().text("tokenizer.chat_template.rerank"));
    if (!source.empty()) {
        // Only the template's own words become control tokens.
        const size_t at_query = source.find("{query}"), at_document = source.find("{document}");
        if (at_query != source.npos && at_document != source.npos && at_query < at_document) {
            const std::string_view text = source;
            const TextPiece pieces[] = {{text.substr(0, at_query), true},
                                        {query, false},
                                        {text.substr(at_query + 7, at_document - at_query - 7), true},
                                        {document, false},
                                        {text.substr(at_document + 10), true}};
            return tokenizer.encode(pieces, true);
        }
    }
    const SpecialTokens& special = tokenizer.special();
    std::vector<Token> tokens;
    const auto mark = [&tokens](Token token) {
        if (token != no_token) tokens.push_back(token);
    };
    const auto add = [&](const std::string& text) {
        const auto more = tokenizer.encode(text, {.add_special = false, .parse_special = false});
        tokens.insert(tokens.end(), more.begin(), more.end());
    };
    mark(special.bos);
    add(query);
    mark(special.eos);
    mark(special.separator);
    add(document);
    mark(special.eos);
    return tokens;
}

struct Ranked {
    size_t index = 0;
    double score = 0;
};

std::vector<Ranked> best_of(const std::vector<Embedding>& scores, size_t count) {
    std::vector<Ranked> all;
    for (size_t i = 0; i < scores.size(); ++i)
        all.push_back({i, scores[i].values.empty() ? 0.0 : double(scores[i].values[0])});
    std::ranges::stable_sort(all, std::ranges::greater(), &Ranked::score);
    all.resize(std::min(count, all.size()));
    return all;
}

Json result_json(const Ranked& ranked, const std::vector<std::string>& documents, bool texts, bool with_text) {
    Json json = {{"index", ranked.index}, {texts ? "score" : "relevance_score", ranked.score}};
    if (with_text && texts) json["text"] = documents[ranked.index];
    else if (with_text) json["document"] = {{"text", documents[ranked.index]}};
    return json;
}

Result<std::vector<std::string>> documents_of(const Json& body, bool texts) {
    const char* const name = texts ? "texts" : "documents";
    Fields fields(body);
    fields.require(name);
    const Json* const list = fields.array(name);
    INGLE_TRY(fields.status());
    if (list->empty() || list->size() > documents_max)
        return fail(Code::invalid_argument, "'", name, "': expected 1 to ", documents_max, " texts, found ",
                    list->size());
    std::vector<std::string> documents;
    for (const Json& entry : *list) {
        const Json* const text = entry.is_object() ? member(entry, "text") : &entry;
        if (text == nullptr || !text->is_string())
            return fail(Code::invalid_argument, "'", name, "': expected texts, found ", quoted(dump(entry), 40));
        documents.push_back(text->get<std::string>());
    }
    return documents;
}

Result<EmbeddingJob> job_of(const Request& request) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    const auto model = request.model;
    if (model->engine->model().ranking_head() == nullptr)
        return fail(Code::unsupported, "this model has no ranking head: reranking is not supported");
    const bool texts = member(body, "documents") == nullptr && member(body, "texts") != nullptr;
    Fields fields(body);
    fields.require("query");
    const std::string query = fields.text("query");
    const bool with_text = fields.flag(texts ? "return_text" : "return_documents");
    INGLE_ASSIGN(const auto documents, documents_of(body, texts));
    const int64_t count = fields.integer("top_n", int64_t(documents.size()));
    if (count < 1) fields.wrong(cat("'top_n': expected a number of at least 1, found ", count));
    INGLE_TRY(fields.status());
    EmbeddingJob job;
    job.model = model;
    job.pooling = Pooling::rank;
    for (const std::string& document : documents) job.inputs.push_back(pair_of(*model, query, document));
    job.write = [=, name = model->name](const std::vector<Embedding>& scores) {
        Json results = Json::array();
        for (const Ranked& ranked : best_of(scores, size_t(count)))
            results.push_back(result_json(ranked, documents, texts, with_text));
        if (texts) return results;
        const int64_t tokens = tokens_of(scores);
        return Json{{"id", new_id("rerank-")},
                    {"model", name},
                    {"object", "list"},
                    {"usage", {{"prompt_tokens", tokens}, {"total_tokens", tokens}}},
                    {"results", std::move(results)}};
    };
    return job;
}

Response answer(const Request& request, Service& service) {
    auto job = job_of(request);
    return job.ok() ? embed(std::move(*job), request, service) : error_response(job.status());
}

}  // namespace

namespace entries {
extern const Endpoint rerank;
const Endpoint rerank = {.method = "POST", .path = "/v1/rerank /rerank /reranking /v1/reranking",
                         .open = false, .respond = answer, .needs_model = true};
}  // namespace entries

}  // namespace ingle::server
