// How much a client may ask for in a minute: requests, and tokens of prompts and answers.
//
// Buckets that fill up steadily: who was silent may ask for a minute's worth at once. Tokens are known only at the end of
// an answer, so a client goes into debt for them and waits until it is paid.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "server/settings.h"

namespace ingle::server {

class RateLimits {
  public:
    using Time = std::chrono::steady_clock::time_point;
    explicit RateLimits(const Settings& settings);

    struct Decision {
        bool allowed = true;
        double retry_seconds = 0;
        const char* what = "";  // ran out: "requests" or "tokens"
        std::vector<std::pair<std::string, std::string>> headers = {};  // x-ratelimit-*
    };
    // Counts a request of this client, if it is allowed.
    Decision take(const std::string& client, Time now = std::chrono::steady_clock::now());
    // Counts tokens of an answer that has ended.
    void charge(const std::string& client, int64_t tokens, Time now = std::chrono::steady_clock::now());

  private:
    struct Bucket {
        double level = 0;
        void fill(int64_t a_minute, double seconds);
    };
    struct Client {
        Bucket requests, tokens;
        Time filled = {};
    };
    const Rate& rate_of(const std::string& client) const;
    Client& client_at(const std::string& name, const Rate& rate, Time now);

    const Rate all_;
    std::map<std::string, Rate, std::less<>> own_;
    std::mutex mutex_;
    std::map<std::string, Client, std::less<>> clients_;
};

}  // namespace ingle::server
