#include "server/generation.h"

#include <algorithm>

#include "server/reading.h"

namespace ingle::server {

namespace {

double seconds_between(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

// A choice with what reads it.
struct Choice {
    Answer answer;
    std::unique_ptr<chat::ReplyReader> reader;
    Piece gathered;  // tokens whose text has not come yet
    bool reasons = false;
};

// One request of the engine.
struct Source {
    std::shared_ptr<Stream> stream;
    size_t first_choice = 0;
    Clock::time_point started = {};  // out of the queue
    Clock::time_point first_token = {};
    bool done = false;
};

class Run {
  public:
    Run(Job job, const Request& request, Service& service)
        : job_(std::move(job)), service_(service), client_(request.client), arrival_(request.arrival),
          account_(std::make_shared<Account>()) {
        account_->model = job_.model->name;
        for (GenerationRequest& wanted : job_.requests) {
            sources_.push_back({.stream = nullptr, .first_choice = choices_.size()});
            for (int i = 0; i < wanted.choices; ++i) add_choice();
        }
        for (size_t i = 0; i < sources_.size(); ++i)
            sources_[i].stream = job_.model->engine->submit(std::move(job_.requests[i]));
        if (job_.id.empty()) return;
        std::vector<std::weak_ptr<Stream>> streams;
        for (const Source& source : sources_) streams.push_back(source.stream);
        service_.running().add(job_.id, client_, std::move(streams));
    }

    ~Run() {
        if (!job_.id.empty()) service_.running().remove(job_.id);
        if (!ended_) {
            account_->finish = "cancelled";
            service_.metrics().count_cancelled(account_->model);
        }
    }

    // The reason why the engine refused at once, if it did.
    std::optional<Error> refused() {
        for (Source& source : sources_) {
            if (!source.stream->poll(held_)) continue;
            held_of_ = &source;
            const auto* const done = std::get_if<Done>(&held_);
            if (done != nullptr && !done->status.ok()) return failed(done->status);
            break;
        }
        return std::nullopt;
    }

    void on_ready(const std::function<void()>& wake) {
        for (Source& source : sources_)
            if (!source.done) source.stream->on_event(wake);
    }

    // Takes events until there are none, `out` is full, or all is over. `out` null: nothing is streamed.
    Body::State advance(std::string* out, size_t bytes_max) {
        if (out != nullptr && !begun_) job_.surface->begin(*out);
        begun_ = true;
        while (!ended_) {
            if (out != nullptr && out->size() >= bytes_max) return Body::State::more;
            StreamEvent event;
            Source* const source = next(event);
            if (source == nullptr) return Body::State::waiting;
            std::visit([&](auto& what) { take(*source, what, out); }, event);
        }
        return Body::State::ended;
    }

    Surface& surface() { return *job_.surface; }
    Dialect dialect() const { return job_.dialect; }
    const std::optional<Error>& error() const { return error_; }
    const std::shared_ptr<Account>& account() const { return account_; }

    std::vector<Answer> answers() {
        std::vector<Answer> answers;
        for (Choice& choice : choices_) answers.push_back(std::move(choice.answer));
        return answers;
    }

  private:
    void add_choice() {
        Choice choice;
        if (job_.reply)
            choice.reader = make_reader(*job_.model, *job_.reply);
        if (choice.reader && !job_.prefill.empty()) choice.reader->push(job_.prefill);
        choices_.push_back(std::move(choice));
    }

    Source* next(StreamEvent& event) {
        if (held_of_ != nullptr) {
            event = std::move(held_);
            return std::exchange(held_of_, nullptr);
        }
        for (Source& source : sources_)
            if (!source.done && source.stream->poll(event)) return &source;
        return nullptr;
    }

    Choice& choice_of(const Source& source, int index) {
        return choices_[source.first_choice + size_t(index)];
    }

    // Reads text of a choice and hands out what it became.
    void read(Choice& choice, size_t index, const std::string& text, bool last, std::string* out) {
        Piece& piece = choice.gathered;
        piece.index = int(index);
        piece.read = choice.reader != nullptr;
        piece.text += text;
        choice.answer.text += text;
        if (choice.reader) {
            if (!text.empty()) piece.reply = choice.reader->push(text);
            if (last)
                for (chat::ReplyPiece& more : choice.reader->finish()) piece.reply.push_back(std::move(more));
            for (const chat::ReplyPiece& part : piece.reply) append(choice, part);
        } else {
            choice.answer.content += text;
        }
        const bool something = !piece.text.empty() || !piece.reply.empty() || (last && !piece.tokens.empty());
        if (!something) return;
        if (out != nullptr) job_.surface->piece(piece, choice.answer, *out);
        piece = {};
    }

    void append(Choice& choice, const chat::ReplyPiece& part) {
        using Kind = chat::ReplyPiece::Kind;
        Answer& answer = choice.answer;
        choice.reasons = part.kind == Kind::reasoning;
        switch (part.kind) {
            case Kind::reasoning: answer.reasoning += part.text; break;
            case Kind::content: answer.content += part.text; break;
            case Kind::call:
                answer.calls.push_back({part.id.empty() ? new_id("call_") : part.id, part.name, {}});
                break;
            case Kind::arguments:
                if (!answer.calls.empty()) answer.calls.back().arguments += part.text;
                break;
        }
    }

    void take(Source& source, PromptProgress& progress, std::string* out) {
        Timings& timings = choice_of(source, 0).answer.timings;
        timings.prompt_tokens = progress.done;
        timings.cached_tokens = progress.cached;
        const Clock::time_point now = Clock::now();
        if (source.started == Clock::time_point() && progress.queue_place == 0) source.started = now;
        // Before the first step nothing was computed, and in the queue nothing is.
        const bool computed = progress.done > progress.cached;
        timings.prompt_seconds = computed ? seconds_between(source.started, now) : 0;
        if (out != nullptr) job_.surface->progress(progress, timings, *out);
    }

    void take(Source& source, TokenPiece& token, std::string* out) {
        Choice& choice = choice_of(source, token.choice);
        const Clock::time_point now = Clock::now();
        if (source.started == Clock::time_point()) source.started = arrival_;
        if (source.first_token == Clock::time_point()) source.first_token = now;
        Timings& timings = choice.answer.timings;
        timings.tokens += 1;
        timings.prompt_seconds = seconds_between(source.started, source.first_token);
        timings.generate_seconds = seconds_between(source.first_token, now);
        const std::string text = std::move(token.text);
        token.text = text;
        choice.answer.tokens.push_back(token);
        choice.gathered.tokens.push_back(std::move(token));
        read(choice, source.first_choice + size_t(choice.answer.tokens.back().choice), text, false, out);
        choice.answer.reasoning_tokens += choice.reasons ? 1 : 0;
    }

    void take(Source& source, Finished& finished, std::string* out) {
        Choice& choice = choice_of(source, finished.choice);
        const size_t index = source.first_choice + size_t(finished.choice);
        choice.answer.timings = finished.timings;
        choice.answer.finished = finished;
        read(choice, index, finished.text, true, out);
        service_.rates().charge(client_, finished.timings.prompt_tokens + finished.timings.tokens);
        account_->prompt_tokens += finished.timings.prompt_tokens;
        account_->cached_tokens += finished.timings.cached_tokens;
        account_->tokens += finished.timings.tokens;
        account_->finish = choice.answer.finish_reason();
        service_.metrics().count_finished(account_->model, finished, choice.answer.finish_reason());
        if (out != nullptr) job_.surface->finish(int(index), choice.answer, *out);
    }

    void take(Source&, Embedding&, std::string*) {}

    void take(Source& source, Done& done, std::string* out) {
        source.done = true;
        if (!done.status.ok()) {
            error_ = failed(done.status);
            if (out != nullptr) job_.surface->fail(*error_, *out);
            return;
        }
        for (const Source& other : sources_)
            if (!other.done) return;
        ended_ = true;
        if (out == nullptr) return;
        std::vector<Answer> all;
        for (const Choice& choice : choices_) all.push_back(choice.answer);
        job_.surface->end(all, *out);
    }

    // A failure ends all of the job.
    Error failed(const Status& status) {
        ended_ = true;
        account_->finish = "failed";
        service_.metrics().count_failed(account_->model);
        check_engine(*job_.model, service_);
        return error_of(status);
    }

    Job job_;
    Service& service_;
    std::string client_;
    Clock::time_point arrival_;
    std::shared_ptr<Account> account_;
    std::vector<Choice> choices_;
    std::vector<Source> sources_;
    StreamEvent held_;  // taken already by refused()
    Source* held_of_ = nullptr;
    bool begun_ = false;
    bool ended_ = false;
    std::optional<Error> error_;
};

class RunBody : public Body {
  public:
    explicit RunBody(std::unique_ptr<Run> run) : run_(std::move(run)) {}
    void on_ready(std::function<void()> wake) override { run_->on_ready(wake); }
    State pull(std::string& out, size_t bytes_max) override { return run_->advance(&out, bytes_max); }
    std::string_view ping() const override { return run_->surface().ping(); }
    std::string farewell() override {
        std::string out;
        run_->surface().fail({.status = 503, .type = "unavailable_error",
                              .message = "the server is about to end"}, out);
        return out;
    }

  private:
    std::unique_ptr<Run> run_;
};

class RunResponse : public LaterResponse {
  public:
    explicit RunResponse(std::unique_ptr<Run> run) : run_(std::move(run)) {}
    void on_ready(std::function<void()> wake) override { run_->on_ready(wake); }
    bool poll(Response& response) override {
        if (run_->advance(nullptr, 0) != Body::State::ended) return false;
        response = run_->error() ? error_response(*run_->error(), run_->dialect())
                                 : json_response(run_->surface().whole(run_->answers()));
        response.account = run_->account();
        return true;
    }

  private:
    std::unique_ptr<Run> run_;
};

}  // namespace

std::string_view Answer::finish_reason() const {
    if (!calls.empty() && (!finished || finished->reason == FinishReason::end_of_generation))
        return "tool_calls";
    return finished ? to_string(finished->reason) : std::string_view();
}

void append_event(std::string& out, const Json& data, std::string_view event) {
    if (!event.empty()) out += cat("event: ", event, "\n");
    out += cat("data: ", dump(data), "\n\n");
}

void check_engine(const ServedModel& model, Service& service) {
    if (const Status fault = model.engine->fault(); !fault.ok())
        service.models().give_up(model.name, fault.message());
}

Response run(Job job, const Request& request, Service& service) {
    const int64_t context = job.model->engine->context_tokens();
    for (GenerationRequest& wanted : job.requests) {
        if (!service.settings().context_shift && wanted.tokens_max < 0)
            wanted.tokens_max = std::max<int64_t>(context - int64_t(wanted.prompt.size()), 0);
        if (int64_t(wanted.prompt.size()) >= context)
            return error_response(context_error(int64_t(wanted.prompt.size()), context), job.dialect);
        wanted.info.id = request.id;
        wanted.info.client = request.client;
        wanted.info.arrival = request.arrival;
    }
    const bool stream = job.stream;
    const Dialect dialect = job.dialect;
    const std::string_view type = job.surface->stream_type();
    auto running = std::make_unique<Run>(std::move(job), request, service);
    if (const auto error = running->refused()) return error_response(*error, dialect);
    Response response;
    response.account = running->account();
    if (stream) {
        response.content_type = type;
        response.headers = {{"Cache-Control", "no-cache"}, {"X-Accel-Buffering", "no"}};
        response.stream = std::make_unique<RunBody>(std::move(running));
    } else {
        response.later = std::make_unique<RunResponse>(std::move(running));
    }
    return response;
}

}  // namespace ingle::server
