#include "server/rate_limits.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace ingle::server {

namespace {

constexpr size_t clients_max = 10'000;
constexpr double minute = 60;

double seconds_until(double level, double wanted, int64_t a_minute) {
    return level >= wanted ? 0 : (wanted - level) * minute / double(a_minute);
}

// "1m12s", as OpenAI writes it.
std::string duration(double seconds) {
    const auto whole = int64_t(std::ceil(std::max(0.0, seconds)));
    return whole >= 60 ? cat(whole / 60, "m", whole % 60, "s") : cat(whole, "s");
}

void add_headers(RateLimits::Decision& decision, const std::string& kind, int64_t a_minute, double level) {
    decision.headers.emplace_back("x-ratelimit-limit-" + kind, cat(a_minute));
    decision.headers.emplace_back("x-ratelimit-remaining-" + kind, cat(int64_t(std::max(0.0, std::floor(level)))));
    decision.headers.emplace_back("x-ratelimit-reset-" + kind,
                                  duration(seconds_until(level, double(a_minute), a_minute)));
}

}  // namespace

RateLimits::RateLimits(const Settings& settings) : all_(settings.rate) {
    for (const ApiKey& key : settings.api_keys)
        if (key.rate) own_[key.name] = *key.rate;
}

const Rate& RateLimits::rate_of(const std::string& client) const {
    const auto found = own_.find(client);
    return found == own_.end() ? all_ : found->second;
}

void RateLimits::Bucket::fill(int64_t a_minute, double seconds) {
    level = std::min(double(a_minute), level + seconds * double(a_minute) / minute);
}

RateLimits::Client& RateLimits::client_at(const std::string& name, const Rate& rate, Time now) {
    // Whoever has been silent for a minute and owes nothing is as good as new.
    if (clients_.size() >= clients_max)
        std::erase_if(clients_, [&](const auto& entry) {
            const Client& client = entry.second;
            const double seconds = std::chrono::duration<double>(now - client.filled).count();
            return seconds > minute && client.tokens.level >= 0;
        });
    const auto [at, added] = clients_.try_emplace(name);
    Client& client = at->second;
    const double seconds = added ? minute : std::chrono::duration<double>(now - client.filled).count();
    client.requests.fill(rate.requests, seconds);
    client.tokens.fill(rate.tokens, seconds);
    client.filled = now;
    return client;
}

RateLimits::Decision RateLimits::take(const std::string& name, Time now) {
    const Rate& rate = rate_of(name);
    Decision decision;
    if (rate.requests <= 0 && rate.tokens <= 0) return decision;
    const std::lock_guard lock(mutex_);
    Client& client = client_at(name, rate, now);
    const double for_request = rate.requests > 0 ? seconds_until(client.requests.level, 1, rate.requests) : 0;
    const double for_tokens = rate.tokens > 0 ? seconds_until(client.tokens.level, 1, rate.tokens) : 0;
    decision.retry_seconds = std::max(for_request, for_tokens);
    decision.allowed = decision.retry_seconds <= 0;
    if (!decision.allowed) decision.what = for_request >= for_tokens ? "requests" : "tokens";
    else client.requests.level -= 1;
    if (rate.requests > 0) add_headers(decision, "requests", rate.requests, client.requests.level);
    if (rate.tokens > 0) add_headers(decision, "tokens", rate.tokens, client.tokens.level);
    return decision;
}

void RateLimits::charge(const std::string& name, int64_t tokens, Time now) {
    const Rate& rate = rate_of(name);
    if (rate.tokens <= 0) return;
    const std::lock_guard lock(mutex_);
    client_at(name, rate, now).tokens.level -= double(tokens);
}

}  // namespace ingle::server
