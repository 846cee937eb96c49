// Inside of the catalogue: what is known of each model, and the thread that loads and unloads.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "server/catalogue.h"
#include "server/served_model.h"

namespace ingle::server {

class Wait : public ModelWait {
  public:
    void on_ready(std::function<void()> wake) override {
        {
            const std::lock_guard lock(mutex_);
            if (!result_) {
                wake_ = std::move(wake);
                return;
            }
        }
        wake();
    }
    bool poll(Result<BorrowedModel>& model) override {
        const std::lock_guard lock(mutex_);
        if (!result_) return false;
        model = std::move(*result_);
        return true;
    }
    void end(Result<BorrowedModel> result) {
        std::function<void()> wake;
        {
            const std::lock_guard lock(mutex_);
            result_ = std::move(result);
            wake = std::move(wake_);
        }
        if (wake) wake();
    }

  private:
    std::mutex mutex_;
    std::optional<Result<BorrowedModel>> result_;
    std::function<void()> wake_;
};

struct ModelEntry {
    ModelSource source;
    ModelState state = ModelState::unloaded;
    double progress = 0;
    std::string fault;
    BorrowedModel model = {};  // while loaded or unloading
    std::shared_ptr<const ModelCard> card = {};
    int users = 0;
    uint64_t used = 0;         // number of the last use, for the order
    Clock::time_point idle_since = {};
    std::optional<double> keep_seconds = {};
    bool queued = false;
    bool ordered = false;      // to be loaded though no request waits for it
    bool removed = false;
    bool loaded_before = false;
    std::vector<std::weak_ptr<Wait>> waits = {};

    bool answers_to(std::string_view name) const {
        return name == source.name || std::ranges::find(source.aliases, name) != source.aliases.end();
    }
    bool idle() const { return model != nullptr && users == 0; }
};

using ModelEntryPtr = std::shared_ptr<ModelEntry>;

struct Catalogue::State : std::enable_shared_from_this<State> {
    explicit State(Describe to_describe) : describe(std::move(to_describe)) {}

    // Somebody's hold on a model.
    struct Loan {
        Loan() = default;
        Loan(const Loan&) = delete;
        Loan& operator=(const Loan&) = delete;
        std::shared_ptr<State> state;
        ModelEntryPtr entry;
        BorrowedModel model;
        ~Loan() {
            model.reset();  // before it counts as back: the catalogue's own thread takes it down
            const std::lock_guard lock(state->mutex);
            entry->users -= 1;
            entry->idle_since = Clock::now();
            state->changed.notify_all();
        }
    };

    // All of what follows under the lock, unless it takes it itself.
    ModelEntryPtr find(std::string_view name) const;

    Result<ModelEntryPtr> find_known(std::string_view name) const {
        if (auto entry = find(name)) return entry;
        return fail(Code::not_found, "there is no model ", quoted(name));
    }

    BorrowedModel lend(const ModelEntryPtr& entry);

    bool lendable(const ModelEntry& entry) const { return entry.state == ModelState::loaded && !closed; }

    void enqueue(const ModelEntryPtr& entry) {
        if (!std::exchange(entry->queued, true)) queue.push_back(entry);
        changed.notify_all();
    }

    bool wanted(ModelEntry& entry) const;

    int in_memory() const;

    ModelEntryPtr longest_idle() const;

    // When the model leaves memory by itself.
    std::optional<Clock::time_point> expiry(const ModelEntry& entry) const;

    void run();

    // One load or unload; false if there is nothing to do now.
    bool step(std::unique_lock<std::mutex>& lock);

    bool serve_queue(std::unique_lock<std::mutex>& lock);

    // Loads the model or makes one step towards it; false if that has to wait.
    bool make_room(const ModelEntryPtr& entry, std::unique_lock<std::mutex>& lock);

    void load(const ModelEntryPtr& entry, std::unique_lock<std::mutex>& lock);

    // Ends the waits for a model: it is there, or it will not be.
    void settle(const ModelEntryPtr& entry, const Status& status, std::unique_lock<std::mutex>& lock);

    void unload(const ModelEntryPtr& entry, ModelState afterwards, std::unique_lock<std::mutex>& lock);

    const Describe describe;
    std::mutex mutex;
    std::condition_variable changed;
    CatalogueOptions options;
    std::vector<ModelEntryPtr> entries;
    std::deque<ModelEntryPtr> queue;
    const ModelEntry* short_of_memory = nullptr;  // at the head of the queue, and memory was not enough
    uint64_t uses = 0;
    bool closed = false;
    bool ending = false;
    std::thread thread;
};

}  // namespace ingle::server
