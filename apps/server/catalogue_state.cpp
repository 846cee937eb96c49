#include "server/catalogue_state.h"

#include "base/log.h"

namespace ingle::server {

namespace {

// What a wait gets, handed over without the lock: whoever is woken may come back at once.
struct Handout {
    std::shared_ptr<Wait> wait;
    Result<BorrowedModel> result;
};

// A file that is missing or broken is no fault of the request that names its model.
Status told_to_clients(const std::string& name, const Status& status) {
    if (status.ok()) return {};
    const bool passing = status.code() == Code::out_of_memory || status.code() == Code::unsupported ||
                         status.code() == Code::cancelled || status.code() == Code::limit;
    return fail(passing ? status.code() : Code::internal, "the model ", quoted(name), " cannot be loaded: ",
                status.message());
}

}  // namespace

void Catalogue::State::run() {
    std::unique_lock lock(mutex);
    while (!ending) {
        if (step(lock)) continue;
        auto next = Clock::time_point::max();
        for (const ModelEntryPtr& entry : entries)
            if (const auto at = expiry(*entry)) next = std::min(next, *at);
        if (next == Clock::time_point::max()) changed.wait(lock);
        else changed.wait_until(lock, next);
    }
}

bool Catalogue::State::step(std::unique_lock<std::mutex>& lock) {
    const auto now = Clock::now();
    for (const ModelEntryPtr& entry : entries) {
        if (!entry->idle()) continue;
        const auto expires = expiry(*entry);
        const bool tired = entry->state == ModelState::loaded && expires && *expires <= now;
        if (!tired && entry->state != ModelState::unloading && !entry->removed) continue;
        unload(ModelEntryPtr(entry), tired ? ModelState::sleeping : ModelState::unloaded, lock);
        return true;
    }
    std::erase_if(entries, [](const ModelEntryPtr& entry) {
        return entry->removed && entry->model == nullptr && entry->state != ModelState::loading;
    });
    return serve_queue(lock);
}

bool Catalogue::State::serve_queue(std::unique_lock<std::mutex>& lock) {
    while (!queue.empty()) {
        const ModelEntryPtr entry = queue.front();
        if (entry->state == ModelState::unloading) return false;  // its users go first
        if (entry->model == nullptr && wanted(*entry)) return make_room(entry, lock);
        queue.pop_front();
        entry->queued = false;
        if (short_of_memory == entry.get()) short_of_memory = nullptr;
        settle(entry, {}, lock);
    }
    return false;
}

bool Catalogue::State::make_room(const ModelEntryPtr& entry, std::unique_lock<std::mutex>& lock) {
    const bool full = options.models_max > 0 && in_memory() >= options.models_max;
    if ((!full && short_of_memory != entry.get()) || in_memory() == 0) {
        load(entry, lock);
        return true;
    }
    const ModelEntryPtr victim = longest_idle();
    if (victim == nullptr) return false;  // until somebody gives a model back
    log(LogLevel::notice, "making room for ", entry->source.name, ": ", victim->source.name, " goes");
    unload(victim, ModelState::unloaded, lock);
    short_of_memory = nullptr;
    return true;
}

void Catalogue::State::load(const ModelEntryPtr& entry, std::unique_lock<std::mutex>& lock) {
    entry->state = ModelState::loading;
    entry->progress = 0;
    const ModelSource source = entry->source;
    lock.unlock();
    auto model = source.load([this, &entry](uint64_t done, uint64_t total) {
        const std::lock_guard inner(mutex);
        entry->progress = total > 0 ? double(done) / double(total) : 0;
        return !ending && !entry->removed;
    });
    lock.lock();
    const Status status = model.ok() ? Status() : model.status();
    entry->state = model.ok() ? ModelState::loaded : ModelState::unloaded;
    entry->fault = status.message();
    if (status.code() == Code::out_of_memory && in_memory() > 0 && !ending) {
        short_of_memory = entry.get();  // one of the others goes, then it is tried again
        return;
    }
    short_of_memory = nullptr;
    if (model.ok()) {
        entry->model = std::move(*model);
        entry->loaded_before = true;
        entry->idle_since = Clock::now();
        entry->used = ++uses;
    } else {
        log(LogLevel::error, "cannot load ", source.name, ": ", status.message());
    }
    queue.pop_front();
    entry->queued = false;
    entry->ordered = false;
    settle(entry, told_to_clients(source.name, status), lock);
    if (!source.loaded) return;
    lock.unlock();
    source.loaded(status);
    lock.lock();
}

void Catalogue::State::settle(const ModelEntryPtr& entry, const Status& status, std::unique_lock<std::mutex>& lock) {
    std::vector<Handout> handouts;
    for (const std::weak_ptr<Wait>& weak : std::exchange(entry->waits, {})) {
        auto wait = weak.lock();
        if (!wait) continue;
        Result<BorrowedModel> result = fail(Code::limit, "the server is about to end");
        if (lendable(*entry)) result = lend(entry);
        else if (!status.ok()) result = status;
        else if (entry->removed) result = fail(Code::not_found, "the model is gone");
        handouts.push_back({std::move(wait), std::move(result)});
    }
    lock.unlock();
    for (Handout& handout : handouts) handout.wait->end(std::move(handout.result));
    handouts.clear();  // whoever has left meanwhile gives his model back, which takes the lock
    lock.lock();
}

void Catalogue::State::unload(const ModelEntryPtr& entry, ModelState afterwards, std::unique_lock<std::mutex>& lock) {
    entry->state = ModelState::unloading;
    BorrowedModel model = entry->model;
    lock.unlock();
    auto card = describe(*model);
    lock.lock();
    entry->model.reset();
    entry->card = std::move(card);
    entry->keep_seconds.reset();
    lock.unlock();
    model.reset();
    log(LogLevel::notice, entry->source.name, " is no longer in memory");
    lock.lock();
    entry->state = afterwards;
    changed.notify_all();
}

ModelEntryPtr Catalogue::State::find(std::string_view name) const {
    for (const ModelEntryPtr& entry : entries)
        if (!entry->removed && entry->answers_to(name)) return entry;
    // Ollama's clients say "name:latest".
    if (name.ends_with(":latest")) return find(name.substr(0, name.size() - 7));
    if (!options.several && !entries.empty()) return entries.front();
    return nullptr;
}

BorrowedModel Catalogue::State::lend(const ModelEntryPtr& entry) {
    entry->users += 1;
    entry->used = ++uses;
    auto loan = std::make_shared<Loan>();
    loan->state = shared_from_this();
    loan->entry = entry;
    loan->model = entry->model;
    const ServedModel* const model = loan->model.get();
    return {std::move(loan), model};
}

bool Catalogue::State::wanted(ModelEntry& entry) const {
    std::erase_if(entry.waits, [](const std::weak_ptr<Wait>& wait) { return wait.expired(); });
    return !entry.removed && !closed && (entry.ordered || !entry.waits.empty());
}

ModelEntryPtr Catalogue::State::longest_idle() const {
    ModelEntryPtr found;
    for (const ModelEntryPtr& entry : entries)
        if (entry->idle() && (!found || entry->used < found->used)) found = entry;
    return found;
}

std::optional<Clock::time_point> Catalogue::State::expiry(const ModelEntry& entry) const {
    const double seconds = entry.keep_seconds.value_or(options.idle_seconds);
    if (!entry.idle() || seconds < 0 || seconds > 1e9) return std::nullopt;
    return entry.idle_since + std::chrono::milliseconds(int64_t(seconds * 1e3));
}

int Catalogue::State::in_memory() const {
    return int(std::ranges::count_if(entries, [](const ModelEntryPtr& entry) { return entry->model != nullptr; }));
}

}  // namespace ingle::server
