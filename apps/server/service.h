// What endpoints answer from: the models, the settings, the keys, what was counted.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "server/access.h"
#include "server/catalogue.h"
#include "server/downloads.h"
#include "server/metrics.h"
#include "server/rate_limits.h"
#include "server/response_store.h"
#include "server/running_jobs.h"
#include "server/settings.h"

namespace ingle::server {

class Service {
  public:
    explicit Service(Settings settings);
    // With another source of downloads, for tests.
    Service(Settings settings, Downloads::Pull pull);

    const Settings& settings() const { return settings_; }
    const Keys& keys() const { return keys_; }
    Metrics& metrics() { return metrics_; }
    const Metrics& metrics() const { return metrics_; }
    // Seconds since 1970.
    int64_t started() const { return started_; }
    ResponseStore& responses() { return responses_; }
    RateLimits& rates() { return rates_; }
    RunningJobs& running() { return running_; }
    Catalogue& models() { return models_; }
    const Catalogue& models() const { return models_; }
    Downloads& downloads() { return downloads_; }

    // No new work from now on; what is under way goes on.
    void drain();
    bool draining() const { return draining_; }

  private:
    const Settings settings_;
    Keys keys_;
    Metrics metrics_;
    const int64_t started_;
    ResponseStore responses_;
    RateLimits rates_;
    RunningJobs running_;
    std::atomic<bool> draining_ = false;
    Catalogue models_;
    Downloads downloads_;  // after the models, which it looks for again
};

// "chatcmpl-" and 32 random letters and digits.
std::string new_id(std::string_view prefix);
int64_t unix_seconds();

}  // namespace ingle::server
