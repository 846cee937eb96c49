#include "tokenizer/charsmap.h"

#include <algorithm>
#include <cstring>

#include "base/utf8.h"

namespace ingle::tokenizer {
namespace {

// The fields of a darts-clone unit.
uint32_t label(uint32_t unit) {
    return unit & (0x80000000u | 0xffu);
}
uint32_t offset(uint32_t unit) {
    return (unit >> 10) << ((unit & 0x200u) >> 6);
}
bool has_value(uint32_t unit) {
    return unit & 0x100u;
}
uint32_t value(uint32_t unit) {
    return unit & 0x7fffffffu;
}

}  // namespace

Result<Charsmap> Charsmap::make(std::string_view blob) {
    Charsmap map;
    if (blob.empty()) return map;
    uint32_t bytes = 0;
    if (blob.size() >= sizeof(bytes)) std::memcpy(&bytes, blob.data(), sizeof(bytes));
    blob.remove_prefix(std::min(blob.size(), sizeof(bytes)));
    if (bytes == 0 || bytes % sizeof(uint32_t) != 0 || bytes > blob.size())
        return fail(Code::corrupt, "precompiled charsmap: expected a trie within its ", blob.size(),
                    " bytes, found a size of ", bytes);
    map.units_.resize(bytes / sizeof(uint32_t));
    std::memcpy(map.units_.data(), blob.data(), bytes);
    map.replacements_ = blob.substr(bytes);
    return map;
}

Charsmap::Replaced Charsmap::replace_prefix(std::string_view text) const {
    size_t length = 0, replacement = 0;
    uint32_t node = units_.empty() ? 0 : offset(units_[0]);
    for (size_t i = 0; i < text.size(); ++i) {
        const uint32_t byte = uint8_t(text[i]);
        node ^= byte;
        if (byte == 0 || node >= units_.size() || label(units_[node]) != byte) break;
        const uint32_t unit = units_[node];
        node ^= offset(unit);
        if (!has_value(unit)) continue;
        if (node >= units_.size() || value(units_[node]) >= replacements_.size()) break;
        length = i + 1;
        replacement = value(units_[node]);
    }
    if (length != 0) {
        const size_t end = std::min(replacements_.find('\0', replacement), replacements_.size());
        return {std::string_view(replacements_).substr(replacement, end - replacement), length};
    }
    const utf8::Decoded first = utf8::decode(text);
    if (first.point == utf8::invalid) return {"\ufffd", 1};
    return {text.substr(0, size_t(first.length)), size_t(first.length)};
}

}  // namespace ingle::tokenizer
