// The one way from a request of any surface to an answer: a Job is handed to the engine, its events become the
// answers of its choices, and a Surface writes them in the form of its API.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chat/reply.h"
#include "engine/request.h"
#include "server/error.h"
#include "server/served_model.h"
#include "server/service.h"

namespace ingle::server {

struct ToolCall {
    std::string id;
    std::string name;
    std::string arguments;  // JSON
};

// One choice as it grows.
struct Answer {
    std::string text;  // all that was generated
    std::string content;
    std::string reasoning;
    std::vector<ToolCall> calls;
    std::vector<TokenPiece> tokens;
    int64_t reasoning_tokens = 0;
    std::optional<Finished> finished;
    Timings timings;  // so far

    // "stop", "length" or "tool_calls".
    std::string_view finish_reason() const;
};

// What came for one choice since the last time.
struct Piece {
    int index = 0;
    std::string text;
    bool read = false;                    // whether `reply` says what it is; it may lag behind the text
    std::vector<chat::ReplyPiece> reply;
    std::vector<TokenPiece> tokens;
};

// How an API writes answers. Streams call begin, then progress and piece as they come, finish once a choice, then
// end, or fail in their place; whole() is the response that is not streamed.
class Surface {
  public:
    virtual ~Surface() = default;
    virtual std::string_view stream_type() const { return "text/event-stream"; }
    virtual void begin(std::string& out) { (void)out; }
    virtual void progress(const PromptProgress& progress, const Timings& so_far, std::string& out) {
        (void)progress;
        (void)so_far;
        (void)out;
    }
    virtual void piece(const Piece& piece, const Answer& answer, std::string& out) = 0;
    virtual void finish(int index, const Answer& answer, std::string& out) = 0;
    virtual void end(const std::vector<Answer>& answers, std::string& out) = 0;
    virtual void fail(const Error& error, std::string& out) = 0;
    virtual Json whole(const std::vector<Answer>& answers) = 0;
    virtual std::string_view ping() const { return ": ping\n\n"; }
};

struct Job {
    std::shared_ptr<const ServedModel> model;
    std::vector<GenerationRequest> requests;      // answers follow in their order, choices of each together
    std::optional<chat::ReplySetup> reply;        // nothing: answers are plain text
    std::string id;                               // by which its client may reach it; empty: it may not
    std::string prefill;                          // the beginning of the reply that the prompt holds already
    bool stream = false;
    Dialect dialect = Dialect::openai;
    std::unique_ptr<Surface> surface;
};

// Submits a job. Requests that the engine refuses at once, and prompts that the context cannot hold, are errors;
// everything later comes through the response.
Response run(Job job, const Request& request, Service& service);

// Gives a model up whose engine has stopped for good; the others go on.
void check_engine(const ServedModel& model, Service& service);

// "data: {...}" and an empty line; with an event's name a line "event: name" before it.
void append_event(std::string& out, const Json& data, std::string_view event = {});

}  // namespace ingle::server
