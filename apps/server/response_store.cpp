#include "server/response_store.h"

#include <algorithm>

namespace ingle::server {

void ResponseStore::drop(const std::string& id) {
    const auto found = entries_.find(id);
    if (found == entries_.end()) return;
    bytes_ -= found->second.bytes;
    entries_.erase(found);
}

void ResponseStore::put(const std::string& id, Entry entry) {
    const size_t bytes = dump(entry.messages).size() + dump(entry.response).size();
    const std::lock_guard lock(mutex_);
    if (bytes > bytes_max) return;
    drop(id);
    entries_[id] = {std::move(entry), bytes};
    order_.push_back(id);
    bytes_ += bytes;
    while (entries_.size() > entries_max || bytes_ > bytes_max) {
        drop(order_.front());
        order_.pop_front();
    }
}

std::optional<ResponseStore::Entry> ResponseStore::find(const std::string& id,
                                                        std::string_view client) const {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end() || found->second.entry.client != client) return std::nullopt;
    return found->second.entry;
}

bool ResponseStore::remove(const std::string& id, std::string_view client) {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end() || found->second.entry.client != client) return false;
    drop(id);
    std::erase(order_, id);
    return true;
}

}  // namespace ingle::server
