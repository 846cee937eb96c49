// The keys of a GGUF file in file order, with look-up by name and typed access. Keys are unique.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gguf/value.h"

namespace ingle::gguf {

class Metadata {
  public:
    struct Entry {
        std::string key;
        Value value;
    };

    std::span<const Entry> entries() const { return entries_; }
    bool contains(std::string_view key) const { return find(key) != nullptr; }
    // Null if the key is missing.
    const Value* find(std::string_view key) const;

    // The value as T (`as` in value.h). A missing key is Code::not_found. Failures name the key.
    template <class T>
    Result<T> get(std::string_view key) const {
        const Value* const value = find(key);
        if (value == nullptr)
            return fail(Code::not_found, "metadata key ", quoted(key), " is missing");
        auto converted = as<T>(*value);
        if (converted.ok()) return converted;
        return std::move(converted).status().in(cat("metadata key ", quoted(key)));
    }
    // Like `get`, with `fallback` for a missing key. A value of the wrong type is still a failure.
    template <class T>
    Result<T> get_or(std::string_view key, T fallback) const {
        return contains(key) ? get<T>(key) : Result<T>(std::move(fallback));
    }
    // The text of a string key, or "" if it is missing or no string.
    std::string_view text(std::string_view key) const;

    // Appends; false if the key is there already.
    [[nodiscard]] bool add(std::string key, Value value);
    // Replaces the value in its place, or appends.
    void set(std::string key, Value value);
    // False if the key is missing.
    bool remove(std::string_view key);

  private:
    std::vector<Entry> entries_;
    std::map<std::string, size_t, std::less<>> index_;  // key -> position in entries_
};

}  // namespace ingle::gguf
