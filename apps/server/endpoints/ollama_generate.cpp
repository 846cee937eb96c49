// POST /api/generate: Ollama's. The prompt goes through the chat template unless "raw" says that it is whole.
#include "server/generation_fields.h"
#include "server/prompt.h"
#include "server/surfaces/ollama.h"
#include "server/surfaces/openai_chat.h"

namespace ingle::server {

namespace {

Result<Job> raw_job(const Json& fields, const std::string& prompt, std::shared_ptr<const ServedModel> model,
                    const Settings& settings) {
    INGLE_ASSIGN(GenerationRequest wanted, generation_of(fields, *model, settings));
    INGLE_ASSIGN(auto prompts, prompts_of(Json(prompt), model->tokenizer()));
    wanted.prompt = std::move(prompts.front());
    Job job;
    job.stream = Fields(fields).flag("stream");
    job.requests.push_back(std::move(wanted));
    job.model = std::move(model);
    return job;
}

Result<Job> job_of(const Json& body, const Request& request, Service& service) {
    auto model = request.model;
    INGLE_ASSIGN(Json chat, fields_from_ollama(body));
    Fields fields(body);
    const std::string prompt = fields.text("prompt"), system = fields.text("system");
    const bool raw = fields.flag("raw");
    if (!fields.text("suffix").empty()) fields.wrong("'suffix' is not supported; /infill fills in");
    if (const Json* const images = fields.array("images"); images != nullptr && !images->empty())
        fields.wrong("'images': image input is not supported by this model");
    INGLE_TRY(fields.status());
    INGLE_ASSIGN(Form form, form_of(chat, model, "gen-"));
    if (!system.empty()) chat["messages"].push_back({{"role", "system"}, {"content", system}});
    chat["messages"].push_back({{"role", "user"}, {"content", prompt}});
    auto job = raw ? raw_job(chat, prompt, std::move(model), service.settings())
                   : chat_job(chat, std::move(model), service.settings(), form);
    if (!job.ok()) return job;
    job->dialect = Dialect::ollama;
    job->surface = make_ollama(std::move(form), false);
    return job;
}

Response answer(const Request& request, Service& service) {
    const auto body = parse_object(request.body);
    if (!body.ok()) return error_response(body.status(), Dialect::ollama);
    if (const Status kept = take_keep_alive(*body, *request.model, service.models()); !kept.ok())
        return error_response(kept, Dialect::ollama);
    const Json* const prompt = member(*body, "prompt");
    if (prompt == nullptr || *prompt == "") return json_response(loaded_json(*body, *request.model));
    auto job = job_of(*body, request, service);
    return job.ok() ? run(std::move(*job), request, service) : error_response(job.status(), Dialect::ollama);
}

}  // namespace

namespace entries {
extern const Endpoint ollama_generate;
const Endpoint ollama_generate = {.method = "POST", .path = "/api/generate", .open = false, .respond = answer,
                                  .dialect = Dialect::ollama,
                          .needs_model = true};
}  // namespace entries

}  // namespace ingle::server
