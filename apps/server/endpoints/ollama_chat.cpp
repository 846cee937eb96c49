// POST /api/chat: Ollama's.
#include "server/surfaces/ollama.h"
#include "server/surfaces/openai_chat.h"

namespace ingle::server {

namespace {

Result<Job> job_of(const Request& request, Service& service) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    INGLE_ASSIGN(auto model, service.ready_model());
    INGLE_ASSIGN(const Json chat, chat_from_ollama(body));
    INGLE_ASSIGN(Form form, form_of(chat, model, "chat-"));
    INGLE_ASSIGN(Job job, chat_job(chat, std::move(model), service.settings(), form));
    job.dialect = Dialect::ollama;
    job.surface = make_ollama(std::move(form), true);
    return job;
}

Response answer(const Request& request, Service& service) {
    auto job = job_of(request, service);
    return job.ok() ? run(std::move(*job), request, service) : error_response(job.status(), Dialect::ollama);
}

}  // namespace

namespace entries {
extern const Endpoint ollama_chat;
const Endpoint ollama_chat = {.method = "POST", .path = "/api/chat", .open = false, .respond = answer,
                              .dialect = Dialect::ollama};
}  // namespace entries

}  // namespace ingle::server
