// Conversations of the Responses API, kept in memory so that a request may continue one by its id.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "server/json.h"

namespace ingle::server {

class ResponseStore {
  public:
    // The least recently stored ones are forgotten beyond these.
    static constexpr size_t entries_max = 1000;
    static constexpr size_t bytes_max = 64u << 20;

    struct Entry {
        std::string client;  // whose it is; nobody else finds it
        Json messages;       // of the whole conversation, the answer included
        Json response;       // as it was given
    };
    void put(const std::string& id, Entry entry);
    std::optional<Entry> find(const std::string& id, std::string_view client) const;
    bool remove(const std::string& id, std::string_view client);

  private:
    struct Kept {
        Entry entry;
        size_t bytes = 0;
    };
    void drop(const std::string& id);

    mutable std::mutex mutex_;
    std::map<std::string, Kept, std::less<>> entries_;
    std::deque<std::string> order_;
    size_t bytes_ = 0;
};

}  // namespace ingle::server
