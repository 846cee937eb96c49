#include "server/service.h"

#include <chrono>
#include <random>

#include "base/platform_supervisor.h"

namespace ingle::server {

Service::Service(Settings settings) : settings_(std::move(settings)), started_(unix_seconds()) {
    for (const auto& [name, key] : settings_.api_keys) keys_.add(name, key);
}

std::shared_ptr<const ServedModel> Service::model() const {
    const std::lock_guard lock(mutex_);
    return model_;
}

void Service::set_model(std::shared_ptr<const ServedModel> model) {
    const std::lock_guard lock(mutex_);
    model_ = std::move(model);
}

Result<std::shared_ptr<const ServedModel>> Service::ready_model() const {
    if (draining_) return fail(Code::limit, "the server is about to end");
    if (auto found = model()) return found;
    return fail(Code::limit, "Loading model");
}

void Service::drain() {
    draining_ = true;
    platform::tell_supervisor("STOPPING=1");
    if (const auto served = model()) served->engine->drain();
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
