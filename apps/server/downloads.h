// Downloads that clients asked for: each in a thread of its own, shared by whoever asks for the same model. What was
// downloaded of one that is stopped stays, and the next attempt goes on from there.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/status.h"
#include "hub/reference.h"

namespace ingle::server {

struct DownloadState {
    struct File {
        std::string name;
        uint64_t done = 0, total = 0;  // bytes; 0 in all while its size is not known
    };
    std::string model;  // as it was asked for
    std::vector<File> files = {};
    bool ended = false;
    Status status = {};  // how it ended
};

class Download;

// Somebody's interest in a download. When the last one drops it, the download stops, unless it was ordered.
class DownloadWatch {
  public:
    explicit DownloadWatch(std::shared_ptr<Download> download);
    ~DownloadWatch();
    DownloadWatch(const DownloadWatch&) = delete;
    DownloadWatch& operator=(const DownloadWatch&) = delete;

    // `wake` is called from any thread whenever there is something new; at once if there is.
    void on_ready(std::function<void()> wake);
    // True if there is something new, and what.
    bool take(DownloadState& state);

  private:
    std::shared_ptr<Download> download_;
};

class Downloads {
  public:
    // False stops it.
    using Progress = std::function<bool(const std::string& file, uint64_t done, uint64_t total)>;
    using Pull = std::function<Status(const hub::Reference& reference, const Progress& progress)>;

    static constexpr size_t at_once_max = 4;

    // `finished` is called by the thread of a download that went well, before that is told to anybody.
    Downloads(Pull pull, std::function<Status()> finished) : pull_(std::move(pull)), finished_(std::move(finished)) {}
    ~Downloads() { finish(); }

    // Any thread. Fails with Code::invalid_argument for what is no model on a hub, with Code::limit when there are too
    // many already.
    Result<std::unique_ptr<DownloadWatch>> watch(const std::string& model);
    // The same, but it goes on though nobody watches.
    Status order(const std::string& model);
    // Those under way, and those that failed since the last one began.
    std::vector<DownloadState> states() const;

    // Stops all, takes no more, and does not wait.
    void stop();
    // Also waits for their ends.
    void finish();

  private:
    Result<std::shared_ptr<Download>> start(const std::string& model, bool ordered);
    void run(Download& download, const hub::Reference& reference) const;

    const Pull pull_;
    const std::function<Status()> finished_;
    mutable std::mutex mutex_;
    bool closed_ = false;
    std::vector<std::pair<std::shared_ptr<Download>, std::thread>> all_;
};

// From the hub of the environment into the cache of the environment.
Downloads::Pull pull_from_hub(bool offline);

}  // namespace ingle::server
