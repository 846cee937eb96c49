#include "server/running_jobs.h"

#include "engine/request.h"

namespace ingle::server {

void RunningJobs::add(const std::string& id, std::string client, std::vector<std::weak_ptr<Stream>> streams) {
    const std::lock_guard lock(mutex_);
    jobs_[id] = {std::move(client), std::move(streams)};
}

void RunningJobs::remove(const std::string& id) {
    const std::lock_guard lock(mutex_);
    jobs_.erase(id);
}

bool RunningJobs::end_reasoning(std::string_view id, std::string_view client) const {
    std::vector<std::shared_ptr<Stream>> streams;
    {
        const std::lock_guard lock(mutex_);
        const auto found = jobs_.find(id);
        if (found == jobs_.end() || found->second.client != client) return false;
        for (const std::weak_ptr<Stream>& weak : found->second.streams)
            if (auto stream = weak.lock()) streams.push_back(std::move(stream));
    }
    for (const auto& stream : streams) stream->end_reasoning();
    return true;
}

}  // namespace ingle::server
