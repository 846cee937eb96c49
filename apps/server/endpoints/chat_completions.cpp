// POST /v1/chat/completions: OpenAI's chat, streamed or whole.
#include "server/surfaces/openai_chat.h"

namespace ingle::server {

namespace {

Result<Job> job_of(const Request& request, Service& service) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    auto model = request.model;
    INGLE_ASSIGN(Form form, form_of(body, model, "chatcmpl-"));
    INGLE_ASSIGN(Job job, chat_job(body, std::move(model), service.settings(), form));
    job.surface = make_openai_chat(std::move(form));
    return job;
}

Response answer(const Request& request, Service& service) {
    auto job = job_of(request, service);
    return job.ok() ? run(std::move(*job), request, service) : error_response(job.status());
}

}  // namespace

namespace entries {
extern const Endpoint chat_completions;
const Endpoint chat_completions = {.method = "POST",
                                   .path = "/v1/chat/completions /chat/completions",
                                   .open = false,
                                   .respond = answer,
                          .needs_model = true};
}  // namespace entries

}  // namespace ingle::server
