#include "gguf/metadata.h"

namespace ingle::gguf {

const Value* Metadata::find(std::string_view key) const {
    const auto found = index_.find(key);
    return found == index_.end() ? nullptr : &entries_[found->second].value;
}

std::string_view Metadata::text(std::string_view key) const {
    const Value* const value = find(key);
    const auto* const text = value == nullptr ? nullptr : std::get_if<std::string>(value);
    return text == nullptr ? std::string_view() : *text;
}

bool Metadata::add(std::string key, Value value) {
    if (!index_.emplace(key, entries_.size()).second) return false;
    entries_.push_back({std::move(key), std::move(value)});
    return true;
}

void Metadata::set(std::string key, Value value) {
    const auto found = index_.find(key);
    if (found != index_.end())
        entries_[found->second].value = std::move(value);
    else
        (void)add(std::move(key), std::move(value));
}

bool Metadata::remove(std::string_view key) {
    const auto found = index_.find(key);
    if (found == index_.end()) return false;
    const size_t position = found->second;
    entries_.erase(entries_.begin() + std::ptrdiff_t(position));
    index_.erase(found);
    for (auto& [name, other] : index_)
        if (other > position) --other;
    return true;
}

}  // namespace ingle::gguf
