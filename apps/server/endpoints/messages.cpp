// POST /v1/messages: Anthropic's.
#include "server/surfaces/anthropic.h"
#include "server/surfaces/openai_chat.h"

namespace ingle::server {

namespace {

Result<Job> job_of(const Request& request, Service& service) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    auto model = request.model;
    INGLE_ASSIGN(const Json chat, chat_from_anthropic(body));
    INGLE_ASSIGN(Form form, form_of(chat, model, "msg_"));
    INGLE_ASSIGN(Job job, chat_job(chat, std::move(model), service.settings(), form));
    job.dialect = Dialect::anthropic;
    job.surface = make_anthropic(std::move(form));
    return job;
}

Response answer(const Request& request, Service& service) {
    auto job = job_of(request, service);
    return job.ok() ? run(std::move(*job), request, service) : error_response(job.status(), Dialect::anthropic);
}

}  // namespace

namespace entries {
extern const Endpoint messages;
const Endpoint messages = {.method = "POST", .path = "/v1/messages", .open = false, .respond = answer,
                           .dialect = Dialect::anthropic,
                          .needs_model = true};
}  // namespace entries

}  // namespace ingle::server
