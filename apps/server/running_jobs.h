// Answers under way by the id that their client was given, so that another request can reach them.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace ingle {
class Stream;
}

namespace ingle::server {

class RunningJobs {
  public:
    void add(const std::string& id, std::string client, std::vector<std::weak_ptr<Stream>> streams);
    void remove(const std::string& id);
    // Its answers stop reasoning. False if this client has no job of that name.
    bool end_reasoning(std::string_view id, std::string_view client) const;

  private:
    struct Job {
        std::string client;
        std::vector<std::weak_ptr<Stream>> streams;
    };
    mutable std::mutex mutex_;
    std::map<std::string, Job, std::less<>> jobs_;
};

}  // namespace ingle::server
