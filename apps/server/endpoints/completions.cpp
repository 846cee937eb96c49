// POST /v1/completions: OpenAI's text completion, streamed or whole, of one prompt or several.
#include "server/generation_fields.h"
#include "server/prompt.h"
#include "server/surfaces/openai_text.h"

namespace ingle::server {

namespace {

// What would change the answer and is not done must not be ignored.
Status check_unsupported(Fields& fields) {
    if (fields.flag("echo")) fields.wrong("'echo' is not supported");
    if (!fields.text("suffix").empty()) fields.wrong("'suffix' is not supported; /infill fills in");
    return fields.status();
}

Result<Job> job_of(const Request& request, Service& service) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    auto model = request.model;
    Fields fields(body);
    fields.require("prompt");
    INGLE_TRY(check_unsupported(fields));
    INGLE_ASSIGN(Form form, form_of(body, model, "cmpl-"));
    INGLE_ASSIGN(GenerationRequest wanted, generation_of(body, *model, service.settings()));
    INGLE_ASSIGN(auto prompts, prompts_of(body["prompt"], model->tokenizer()));
    wanted.logprobs = int(std::min<int64_t>(fields.integer("logprobs", fields.integer("n_probs", -1)), 1000));
    if (wanted.logprobs == 0 && member(body, "logprobs") == nullptr) wanted.logprobs = -1;
    wanted.logprobs_after_sampling = form.after_sampling;
    form.logprobs = wanted.logprobs;
    Job job;
    job.stream = fields.flag("stream");
    INGLE_TRY(fields.status());
    for (auto& prompt : prompts) {
        job.requests.push_back(wanted);
        job.requests.back().prompt = std::move(prompt);
    }
    job.surface = make_openai_text(std::move(form));
    job.model = std::move(model);
    return job;
}

Response answer(const Request& request, Service& service) {
    auto job = job_of(request, service);
    return job.ok() ? run(std::move(*job), request, service) : error_response(job.status());
}

}  // namespace

namespace entries {
extern const Endpoint completions;
const Endpoint completions = {.method = "POST", .path = "/v1/completions", .open = false, .respond = answer,
                          .needs_model = true};
}  // namespace entries

}  // namespace ingle::server
