#include "server/downloads.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "base/log.h"
#include "hub/pull.h"

namespace ingle::server {

using Clock = std::chrono::steady_clock;

class Download {
  public:
    // Unless it is ordered, somebody must add() a watch, and the same holds for join().
    Download(std::string model, bool ordered) : ordered_(ordered), expected_(ordered ? 0 : 1) {
        state_.model = std::move(model);
    }

    DownloadState state() const {
        const std::lock_guard lock(mutex_);
        return state_;
    }
    // False if it is stopped or has ended: then it must be begun anew.
    bool join(bool ordered) {
        const std::lock_guard lock(mutex_);
        if (stopped_ || state_.ended) return false;
        ordered_ = ordered_ || ordered;
        expected_ += ordered ? 0 : 1;
        return true;
    }
    void add(const DownloadWatch* watch) {
        const std::lock_guard lock(mutex_);
        watchers_[watch];
        expected_ -= 1;
    }
    void drop(const DownloadWatch* watch) {
        const std::lock_guard lock(mutex_);
        watchers_.erase(watch);
        if (watchers_.empty() && expected_ == 0 && !ordered_) stopped_ = true;
    }
    void stop() {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
    }
    bool progress(const std::string& name, uint64_t done, uint64_t total) {
        std::unique_lock lock(mutex_);
        const bool another = state_.files.empty() || state_.files.back().name != name;
        if (another) state_.files.push_back({.name = name});
        state_.files.back().done = done;
        state_.files.back().total = total;
        const bool go_on = !stopped_;
        const auto now = Clock::now();
        // A line for each packet would be more than the file.
        if (!another && done != total && now - told_ < std::chrono::milliseconds(100)) return go_on;
        told_ = now;
        tell(lock);
        return go_on;
    }
    void end(Status status) {
        std::unique_lock lock(mutex_);
        state_.ended = true;
        state_.status = std::move(status);
        tell(lock);
    }
    void on_ready(const DownloadWatch* watch, std::function<void()> wake) {
        {
            const std::lock_guard lock(mutex_);
            Watcher& watcher = watchers_[watch];
            watcher.wake = wake;
            if (watcher.seen == version_) return;
        }
        wake();
    }
    bool take(const DownloadWatch* watch, DownloadState& state) {
        const std::lock_guard lock(mutex_);
        Watcher& watcher = watchers_[watch];
        if (watcher.seen == version_) return false;
        watcher.seen = version_;
        state = state_;
        return true;
    }

  private:
    struct Watcher {
        uint64_t seen = 0;
        std::function<void()> wake = {};
    };

    // Wakes without the lock: whoever is woken may come back at once.
    void tell(std::unique_lock<std::mutex>& lock) {
        version_ += 1;
        std::vector<std::function<void()>> wakes;
        for (auto& [watch, watcher] : watchers_)
            if (watcher.wake) wakes.push_back(watcher.wake);
        lock.unlock();
        for (const auto& wake : wakes) wake();
    }

    mutable std::mutex mutex_;
    DownloadState state_;
    bool ordered_;
    int expected_;  // watches that are about to be added
    bool stopped_ = false;
    uint64_t version_ = 1;  // the beginning is news
    Clock::time_point told_ = {};
    std::map<const DownloadWatch*, Watcher> watchers_;
};

DownloadWatch::DownloadWatch(std::shared_ptr<Download> download) : download_(std::move(download)) {
    download_->add(this);
}

DownloadWatch::~DownloadWatch() { download_->drop(this); }

void DownloadWatch::on_ready(std::function<void()> wake) { download_->on_ready(this, std::move(wake)); }

bool DownloadWatch::take(DownloadState& state) { return download_->take(this, state); }

Result<std::shared_ptr<Download>> Downloads::start(const std::string& model, bool ordered) {
    INGLE_ASSIGN(hub::Reference reference, hub::parse_reference(model));
    if (closed_) return fail(Code::limit, "the server is about to end");
    for (auto& [download, thread] : all_)
        if (download->state().model == model && download->join(ordered)) return download;
    std::erase_if(all_, [](auto& one) {
        if (!one.first->state().ended) return false;
        one.second.join();
        return true;
    });
    if (all_.size() >= at_once_max)
        return fail(Code::limit, all_.size(), " downloads are under way; one has to end first");
    auto download = std::make_shared<Download>(model, ordered);
    all_.emplace_back(download, std::thread([this, download, reference = std::move(reference)] {
        run(*download, reference);
    }));
    return download;
}

void Downloads::run(Download& download, const hub::Reference& reference) const {
    const std::string model = download.state().model;
    log(LogLevel::notice, "downloading ", model);
    Status status = pull_(reference, [&](const std::string& file, uint64_t done, uint64_t total) {
        return download.progress(file, done, total);
    });
    // Wrong bytes are no fault of whoever asked.
    if (status.code() == Code::corrupt) status = fail(Code::io, status.message());
    if (status.ok()) status = finished_();
    if (status.ok()) log(LogLevel::notice, "downloaded ", model);
    else log(LogLevel::error, "cannot download ", model, ": ", status.message());
    download.end(std::move(status));
}

Result<std::unique_ptr<DownloadWatch>> Downloads::watch(const std::string& model) {
    const std::lock_guard lock(mutex_);
    INGLE_ASSIGN(auto download, start(model, false));
    return std::make_unique<DownloadWatch>(std::move(download));
}

Status Downloads::order(const std::string& model) {
    const std::lock_guard lock(mutex_);
    return start(model, true).status();
}

std::vector<DownloadState> Downloads::states() const {
    const std::lock_guard lock(mutex_);
    std::vector<DownloadState> states;
    for (const auto& [download, thread] : all_) states.push_back(download->state());
    std::erase_if(states, [](const DownloadState& state) { return state.ended && state.status.ok(); });
    return states;
}

void Downloads::stop() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    for (auto& [download, thread] : all_) download->stop();
}

void Downloads::finish() {
    stop();
    for (auto& [download, thread] : all_)
        if (thread.joinable()) thread.join();
}

Downloads::Pull pull_from_hub(bool offline) {
    return [offline](const hub::Reference& reference, const Downloads::Progress& progress) -> Status {
        hub::PullOptions options = hub::PullOptions::of_environment();
        options.offline = options.offline || offline;
        return hub::pull(reference, hub::Cache::of_environment(), options, progress).status();
    };
}

}  // namespace ingle::server
