// What endpoints answer from: the model and its engine, the settings, the keys, what was counted.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "chat/reply.h"
#include "engine/engine.h"
#include "server/access.h"
#include "server/metrics.h"
#include "server/response_store.h"
#include "server/settings.h"

namespace ingle::server {

// A model with what requests to it need. Immutable; requests under way keep it alive.
struct ServedModel {
    std::shared_ptr<Engine> engine;
    std::string name;                  // first of the names by which clients know it
    std::vector<std::string> aliases;  // all of them
    std::vector<std::string> tags;
    std::string path;
    int64_t created = 0;               // seconds since 1970
    std::optional<chat::ChatTemplate> chat_template;
    std::string template_fault;        // why there is none
    std::string bos_text;
    std::string eos_text;
    OptionValues sampling;             // what requests start from
    chat::Json template_variables = chat::Json::object();
    std::optional<bool> thinking;      // nothing: as the template has it

    const Tokenizer& tokenizer() const { return *engine->model().tokenizer(); }
};

class Service {
  public:
    explicit Service(Settings settings);

    const Settings& settings() const { return settings_; }
    const Keys& keys() const { return keys_; }
    Metrics& metrics() { return metrics_; }
    // Seconds since 1970.
    int64_t started() const { return started_; }
    ResponseStore& responses() { return responses_; }

    // Any thread. Null while it is being loaded.
    std::shared_ptr<const ServedModel> model() const;
    void set_model(std::shared_ptr<const ServedModel> model);
    // The model, or the error that says that it is being loaded or that the server is about to end.
    Result<std::shared_ptr<const ServedModel>> ready_model() const;

    // No new work from now on; what is under way goes on.
    void drain();
    bool draining() const { return draining_; }

  private:
    const Settings settings_;
    Keys keys_;
    Metrics metrics_;
    const int64_t started_;
    ResponseStore responses_;
    std::atomic<bool> draining_ = false;
    mutable std::mutex mutex_;  // of model_
    std::shared_ptr<const ServedModel> model_;
};

// "chatcmpl-" and 32 random letters and digits.
std::string new_id(std::string_view prefix);
int64_t unix_seconds();

}  // namespace ingle::server
