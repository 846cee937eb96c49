#include "server/service.h"

#include <chrono>
#include <random>

#include "base/platform_supervisor.h"
#include "server/model_json.h"

namespace ingle::server {

Service::Service(Settings settings) : Service(settings, pull_from_hub(settings.offline)) {}

Service::Service(Settings settings, Downloads::Pull pull)
    : settings_(std::move(settings)),
      started_(unix_seconds()),
      rates_(settings_),
      models_([this](const ServedModel& model) { return make_card(model, settings_); }),
      downloads_(std::move(pull), [this] { return models_.rescan(); }) {
    for (const ApiKey& key : settings_.api_keys) keys_.add(key.name, key.key);
}

void Service::drain() {
    draining_ = true;
    platform::tell_supervisor("STOPPING=1");
    downloads_.stop();
    models_.close();
}

std::string new_id(std::string_view prefix) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    thread_local std::mt19937_64 random{std::random_device{}()};
    std::uniform_int_distribution<size_t> place(0, letters.size() - 1);
    std::string id(prefix);
    for (int i = 0; i < 32; ++i) id += letters[place(random)];
    return id;
}

int64_t unix_seconds() {
    using namespace std::chrono;
    return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace ingle::server
