// POST /v1/responses: OpenAI's; a response may continue an earlier one by its id while that is in memory.
#include "server/surfaces/openai_chat.h"
#include "server/surfaces/responses.h"

namespace ingle::server {

namespace {

// The conversation without instructions, which do not carry over.
Json history_of(const Json& chat) {
    Json messages = Json::array();
    for (const Json& message : chat["messages"])
        if (message["role"] != "system") messages.push_back(message);
    return messages;
}

Result<Job> job_of(const Request& request, Service& service) {
    INGLE_ASSIGN(const Json body, parse_object(request.body));
    auto model = request.model;
    Fields fields(body);
    const std::string previous = fields.text("previous_response_id");
    const bool store = fields.flag("store", true);
    INGLE_TRY(fields.status());
    Json history = Json::array();
    if (!previous.empty()) {
        const auto found = service.responses().find(previous, request.client);
        if (!found) return fail(Code::not_found, "there is no response ", quoted(previous), " any more");
        history = found->messages;
    }
    INGLE_ASSIGN(const Json chat, chat_from_responses(body, history));
    INGLE_ASSIGN(Form form, form_of(chat, model, "resp_"));
    INGLE_ASSIGN(Job job, chat_job(chat, std::move(model), service.settings(), form));
    ResponsesForm writing{.form = std::move(form), .request = body, .finished = nullptr};
    if (store) {
        writing.finished = [&service, client = request.client, messages = history_of(chat)](const Json& response,
                                                                                           const Json& message) {
            Json whole = messages;
            whole.push_back(message);
            service.responses().put(response["id"].get<std::string>(),
                                    {.client = client, .messages = std::move(whole), .response = response});
        };
    }
    job.surface = make_responses(std::move(writing));
    return job;
}

Response answer(const Request& request, Service& service) {
    auto job = job_of(request, service);
    return job.ok() ? run(std::move(*job), request, service) : error_response(job.status());
}

}  // namespace

namespace entries {
extern const Endpoint responses;
const Endpoint responses = {.method = "POST", .path = "/v1/responses /responses", .open = false, .respond = answer,
                          .needs_model = true};
}  // namespace entries

}  // namespace ingle::server
