#include "cli/hub_model.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/platform.h"
#include "cli/terminal.h"
#include "hub/http.h"
#include "hub/pull.h"

namespace ingle::cli {

namespace {

using Clock = std::chrono::steady_clock;

// A bar for each file, with speed and time left.
class PullBar {
  public:
    bool show(const std::string& name, uint64_t done, uint64_t total) {
        if (name != name_) {
            name_ = name;
            bar_.emplace(name);
            begin_ = Clock::now();
            first_ = done;
        }
        const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
        const double speed = seconds > 0 ? double(done - std::min(first_, done)) / seconds : 0;
        std::string note = human_bytes(uint64_t(speed)) + "/s";
        if (speed > 0 && total > done) note += cat(", ", int64_t(double(total - done) / speed), " s left");
        bar_->show(done, std::max(total, done), note);
        return platform::interrupts() == 0;
    }

  private:
    std::string name_;
    std::optional<ProgressBar> bar_;
    Clock::time_point begin_;
    uint64_t first_ = 0;  // bytes that were there before
};

}  // namespace

Result<std::string> path_of_model(const std::string& name, bool offline) {
    if (!hub::looks_like_reference(name)) return name;
    INGLE_ASSIGN(const hub::Reference reference, hub::parse_reference(name));
    hub::PullOptions options = hub::PullOptions::of_environment();
    options.offline = options.offline || offline;
    platform::count_interrupts();
    PullBar bar;
    INGLE_ASSIGN(const auto paths,
                 hub::pull(reference, hub::Cache::of_environment(), options,
                           [&bar](const std::string& file, uint64_t done, uint64_t total) {
                               return bar.show(file, done, total);
                           }));
    return paths.front().string();
}

}  // namespace ingle::cli
