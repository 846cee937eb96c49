#include "server/catalogue.h"

#include "base/log.h"
#include "server/catalogue_state.h"

namespace ingle::server {

std::string_view to_string(ModelState state) {
    switch (state) {
        case ModelState::unloaded: return "unloaded";
        case ModelState::loading: return "loading";
        case ModelState::loaded: return "loaded";
        case ModelState::unloading: return "unloading";
        case ModelState::sleeping: return "sleeping";
    }
    return "";
}

Catalogue::Catalogue(Describe describe) : state_(std::make_shared<State>(std::move(describe))) {}

void Catalogue::finish() {
    close();
    {
        const std::lock_guard lock(state_->mutex);
        state_->ending = true;
        state_->changed.notify_all();
    }
    if (state_->thread.joinable()) state_->thread.join();
}

Catalogue::~Catalogue() {
    finish();
    // Outside of the lock, and before the state: engines end here.
    std::vector<ModelEntryPtr> entries;
    {
        const std::lock_guard lock(state_->mutex);
        entries.swap(state_->entries);
        state_->queue.clear();
    }
    for (const ModelEntryPtr& entry : entries) entry->model.reset();
}

void Catalogue::open(CatalogueOptions options, std::vector<ModelSource> sources) {
    const std::lock_guard lock(state_->mutex);
    state_->options = std::move(options);
    for (ModelSource& source : sources) {
        auto entry = std::make_shared<ModelEntry>();
        entry->source = std::move(source);
        entry->ordered = entry->source.at_start;
        state_->entries.push_back(entry);
        if (entry->ordered) state_->enqueue(entry);
    }
    if (!state_->thread.joinable()) state_->thread = std::thread([state = state_.get()] { state->run(); });
}

void Catalogue::set_only(BorrowedModel model) {
    const std::lock_guard lock(state_->mutex);
    auto entry = std::make_shared<ModelEntry>();
    entry->source = {.name = model->name, .aliases = model->aliases, .tags = model->tags, .path = model->path};
    entry->state = ModelState::loaded;
    entry->loaded_before = true;
    entry->model = std::move(model);
    state_->entries = {std::move(entry)};
}

Status Catalogue::rescan() {
    std::function<Result<std::vector<ModelSource>>()> scan;
    {
        const std::lock_guard lock(state_->mutex);
        scan = state_->options.scan;
    }
    if (!scan) return {};
    INGLE_ASSIGN(std::vector<ModelSource> sources, scan());
    const std::lock_guard lock(state_->mutex);
    std::vector<ModelEntryPtr> kept;
    for (ModelSource& source : sources) {
        const auto same = std::ranges::find_if(state_->entries, [&](const ModelEntryPtr& entry) {
            return !entry->removed && entry->source.name == source.name &&
                   entry->source.definition == source.definition;
        });
        ModelEntryPtr entry = same == state_->entries.end() ? std::make_shared<ModelEntry>() : *same;
        entry->source = std::move(source);
        kept.push_back(std::move(entry));
    }
    for (const ModelEntryPtr& entry : state_->entries) {
        if (std::ranges::find(kept, entry) != kept.end()) continue;
        entry->removed = true;
        if (entry->model != nullptr || entry->state == ModelState::loading) kept.push_back(entry);
    }
    state_->entries = std::move(kept);
    state_->changed.notify_all();
    return {};
}

bool Catalogue::several() const {
    const std::lock_guard lock(state_->mutex);
    return state_->options.several;
}

int Catalogue::models_max() const {
    const std::lock_guard lock(state_->mutex);
    return state_->options.models_max;
}

bool Catalogue::autoload() const {
    const std::lock_guard lock(state_->mutex);
    return state_->options.autoload;
}

Result<std::shared_ptr<ModelWait>> Catalogue::ask(std::string_view name, bool autoload) {
    const std::lock_guard lock(state_->mutex);
    State& state = *state_;
    if (state.closed) return fail(Code::limit, "the server is about to end");
    if (state.entries.empty() && !state.options.several) return fail(Code::limit, "Loading model");
    if (name.empty() && state.options.several)
        return fail(Code::invalid_argument, "'model' is required: this server has several models");
    INGLE_ASSIGN(const ModelEntryPtr entry, state.find_known(name));
    auto wait = std::make_shared<Wait>();
    if (state.lendable(*entry)) {
        wait->end(state.lend(entry));
        return std::shared_ptr<ModelWait>(std::move(wait));
    }
    if (!state.options.several && !entry->loaded_before) return fail(Code::limit, "Loading model");
    const bool returns = entry->state != ModelState::unloaded;  // it was asked for before
    if (!returns && !entry->queued && !(autoload && state.options.autoload))
        return fail(Code::invalid_argument, "the model ", quoted(entry->source.name),
                    " is not loaded, and requests do not load models here; POST /models/load does");
    entry->waits.push_back(wait);
    state.enqueue(entry);
    return std::shared_ptr<ModelWait>(std::move(wait));
}

BorrowedModel Catalogue::borrow(std::string_view name) {
    const std::lock_guard lock(state_->mutex);
    const ModelEntryPtr entry = state_->find(name);
    return entry && state_->lendable(*entry) ? state_->lend(entry) : nullptr;
}

Status Catalogue::load(std::string_view name) {
    const std::lock_guard lock(state_->mutex);
    INGLE_ASSIGN(const ModelEntryPtr entry, state_->find_known(name));
    if (entry->state == ModelState::loaded || entry->state == ModelState::loading) return {};
    entry->ordered = true;
    state_->enqueue(entry);
    return {};
}

Status Catalogue::unload(std::string_view name) {
    const std::lock_guard lock(state_->mutex);
    INGLE_ASSIGN(const ModelEntryPtr entry, state_->find_known(name));
    entry->ordered = false;
    if (entry->state == ModelState::loaded && state_->thread.joinable()) entry->state = ModelState::unloading;
    if (entry->state == ModelState::sleeping) entry->state = ModelState::unloaded;
    state_->changed.notify_all();
    return {};
}

void Catalogue::keep(std::string_view name, double seconds) {
    const std::lock_guard lock(state_->mutex);
    if (const ModelEntryPtr entry = state_->find(name)) entry->keep_seconds = seconds;
    state_->changed.notify_all();
}

void Catalogue::give_up(std::string_view name, std::string_view reason) {
    const std::lock_guard lock(state_->mutex);
    const ModelEntryPtr entry = state_->find(name);
    if (!entry || entry->state != ModelState::loaded || !state_->thread.joinable()) return;
    log(LogLevel::error, entry->source.name, " has failed and is given up: ", reason);
    entry->fault = reason;
    entry->state = ModelState::unloading;
    state_->changed.notify_all();
}

bool Catalogue::known(std::string_view name) const {
    const std::lock_guard lock(state_->mutex);
    return state_->find(name) != nullptr;
}

Status Catalogue::ready() const {
    const std::lock_guard lock(state_->mutex);
    if (state_->closed) return fail(Code::limit, "the server is about to end");
    if (state_->options.several) return {};
    for (const ModelEntryPtr& entry : state_->entries)
        if (entry->loaded_before) return {};
    return fail(Code::limit, "Loading model");
}

namespace {

struct Seen {
    ModelReport report;
    BorrowedModel model;
};

}  // namespace

std::vector<ModelReport> Catalogue::reports() const {
    std::vector<Seen> seen;
    {
        const std::lock_guard lock(state_->mutex);
        const auto now = Clock::now();
        for (const ModelEntryPtr& entry : state_->entries) {
            if (entry->removed) continue;
            ModelReport report = {.name = entry->source.name, .aliases = entry->source.aliases,
                                  .tags = entry->source.tags, .path = entry->source.path,
                                  .listed = entry->source.listed, .state = entry->state,
                                  .progress = entry->progress, .fault = entry->fault, .users = entry->users,
                                  .card = entry->card};
            const double kept = entry->keep_seconds.value_or(state_->options.idle_seconds);
            if (const auto expires = state_->expiry(*entry))
                report.expires_in = std::max(0.0, std::chrono::duration<double>(*expires - now).count());
            else if (entry->model && kept >= 0)
                report.expires_in = kept;  // in use
            seen.push_back({std::move(report), entry->model});
        }
    }
    std::vector<ModelReport> reports;
    for (Seen& one : seen) {
        if (one.model) one.report.card = state_->describe(*one.model);
        reports.push_back(std::move(one.report));
    }
    return reports;
}

std::optional<ModelReport> Catalogue::report(std::string_view name) const {
    std::string found;
    {
        const std::lock_guard lock(state_->mutex);
        const ModelEntryPtr entry = state_->find(name);
        if (!entry) return std::nullopt;
        found = entry->source.name;
    }
    for (ModelReport& report : reports())
        if (report.name == found) return std::move(report);
    return std::nullopt;
}

void Catalogue::close() {
    std::vector<std::shared_ptr<Wait>> waits;
    std::vector<BorrowedModel> models;
    {
        const std::lock_guard lock(state_->mutex);
        state_->closed = true;
        for (const ModelEntryPtr& entry : state_->entries) {
            for (const std::weak_ptr<Wait>& weak : std::exchange(entry->waits, {}))
                if (auto wait = weak.lock()) waits.push_back(std::move(wait));
            if (entry->model) models.push_back(entry->model);
        }
        state_->changed.notify_all();
    }
    for (const auto& wait : waits) wait->end(fail(Code::limit, "the server is about to end"));
    for (const BorrowedModel& model : models) model->engine->drain();
}

}  // namespace ingle::server
