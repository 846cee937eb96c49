// POST /completion: llama-server's own text completion.
#include "server/prompt.h"
#include "server/surfaces/native.h"

namespace ingle::server {

namespace {

Result<Job> job_of(const Request& request, Service& service) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    auto model = request.model;
    if (member(body, "prompt") == nullptr) return fail(Code::invalid_argument, "'prompt' is required");
    INGLE_ASSIGN(auto prompts, prompts_of(body["prompt"], model->tokenizer()));
    return native_job(body, std::move(prompts), std::move(model), service.settings());
}

Response answer(const Request& request, Service& service) {
    auto job = job_of(request, service);
    return job.ok() ? run(std::move(*job), request, service) : error_response(job.status());
}

}  // namespace

namespace entries {
extern const Endpoint completion;
const Endpoint completion = {.method = "POST", .path = "/completion /completions", .open = false,
                             .respond = answer,
                          .needs_model = true};
}  // namespace entries

}  // namespace ingle::server
