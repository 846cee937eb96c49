#include "server/embedding.h"

#include "server/generation.h"

namespace ingle::server {

namespace {

class Gather : public LaterResponse {
  public:
    Gather(EmbeddingJob job, const Request& request, Service& service)
        : job_(std::move(job)), service_(service), client_(request.client), results_(job_.inputs.size()),
          account_(std::make_shared<Account>()) {
        account_->model = job_.model->name;
        for (std::vector<Token>& input : job_.inputs) {
            EmbeddingRequest wanted;
            wanted.info = {.id = request.id, .client = request.client, .salt = {}, .arrival = request.arrival};
            wanted.input = std::move(input);
            wanted.pooling = job_.pooling;
            wanted.normalize = job_.normalize;
            streams_.push_back(job_.model->engine->submit(std::move(wanted)));
        }
    }

    void on_ready(std::function<void()> wake) override {
        for (const auto& stream : streams_)
            if (stream) stream->on_event(wake);
    }

    bool poll(Response& response) override {
        for (size_t i = 0; i < streams_.size(); ++i) {
            StreamEvent event;
            while (streams_[i] && streams_[i]->poll(event)) {
                if (auto* const found = std::get_if<Embedding>(&event)) results_[i] = std::move(*found);
                const auto* const done = std::get_if<Done>(&event);
                if (done == nullptr) continue;
                streams_[i] = nullptr;
                --left_;
                if (done->status.ok()) continue;
                service_.metrics().count_failed(account_->model);
                check_engine(*job_.model, service_);
                response = error_response(done->status, job_.dialect);
                return true;
            }
        }
        if (left_ > 0) return false;
        account_->prompt_tokens = tokens_of(results_);
        service_.metrics().count_embedded(account_->model, account_->prompt_tokens);
        service_.rates().charge(client_, account_->prompt_tokens);
        response = json_response(job_.write(results_));
        response.account = account_;
        return true;
    }

  private:
    EmbeddingJob job_;
    Service& service_;
    std::string client_;
    std::vector<std::shared_ptr<Stream>> streams_;
    size_t left_ = job_.inputs.size();
    std::vector<Embedding> results_;
    std::shared_ptr<Account> account_;
};

}  // namespace

Response embed(EmbeddingJob job, const Request& request, Service& service) {
    const int64_t context = job.model->engine->context_tokens();
    for (const std::vector<Token>& input : job.inputs)
        if (int64_t(input.size()) > context)
            return error_response(context_error(int64_t(input.size()), context), job.dialect);
    Response response;
    response.later = std::make_unique<Gather>(std::move(job), request, service);
    return response;
}

Result<Pooling> pooling_of(const std::string& name) {
    if (name == "mean") return Pooling::mean;
    if (name == "cls") return Pooling::cls;
    if (name == "last") return Pooling::last;
    if (name == "none") return Pooling::none;
    return fail(Code::unsupported, "pooling ", quoted(name), ": known are mean, cls, last and none");
}

int64_t tokens_of(const std::vector<Embedding>& embeddings) {
    int64_t sum = 0;
    for (const Embedding& embedding : embeddings) sum += embedding.tokens;
    return sum;
}

}  // namespace ingle::server
