// POST /api/chat: Ollama's.
#include "server/surfaces/ollama.h"
#include "server/surfaces/openai_chat.h"

namespace ingle::server {

namespace {

Result<Job> job_of(const Json& body, const Request& request, Service& service) {
    auto model = request.model;
    INGLE_ASSIGN(const Json chat, chat_from_ollama(body));
    INGLE_ASSIGN(Form form, form_of(chat, model, "chat-"));
    INGLE_ASSIGN(Job job, chat_job(chat, std::move(model), service.settings(), form));
    job.dialect = Dialect::ollama;
    job.surface = make_ollama(std::move(form), true);
    return job;
}

Response answer(const Request& request, Service& service) {
    const auto body = parse_object(request.body);
    if (!body.ok()) return error_response(body.status(), Dialect::ollama);
    if (const Status kept = take_keep_alive(*body, *request.model, service.models()); !kept.ok())
        return error_response(kept, Dialect::ollama);
    const Json* const messages = member(*body, "messages");
    if (messages == nullptr || (messages->is_array() && messages->empty()))
        return json_response(loaded_json(*body, *request.model));
    auto job = job_of(*body, request, service);
    return job.ok() ? run(std::move(*job), request, service) : error_response(job.status(), Dialect::ollama);
}

}  // namespace

namespace entries {
extern const Endpoint ollama_chat;
const Endpoint ollama_chat = {.method = "POST", .path = "/api/chat", .open = false, .respond = answer,
                              .dialect = Dialect::ollama,
                          .needs_model = true};
}  // namespace entries

}  // namespace ingle::server
