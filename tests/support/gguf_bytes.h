// Builds GGUF files byte by byte for tests, well-formed or not.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace ingle::test {

class GgufBytes {
  public:
    GgufBytes() = default;
    GgufBytes(uint64_t tensors, uint64_t keys, uint32_t version = 3) {
        raw("GGUF").u32(version).u64(tensors).u64(keys);
    }

    GgufBytes& raw(std::string_view bytes) { return bytes_ += bytes, *this; }
    GgufBytes& u8(uint8_t value) { return number(value); }
    GgufBytes& u32(uint32_t value) { return number(value); }
    GgufBytes& u64(uint64_t value) { return number(value); }
    GgufBytes& text(std::string_view value) { return u64(value.size()).raw(value); }
    GgufBytes& key(std::string_view name, uint32_t type) { return text(name).u32(type); }
    GgufBytes& array(std::string_view name, uint32_t element_type, uint64_t count) {
        return key(name, 9).u32(element_type).u64(count);
    }
    GgufBytes& tensor(std::string_view name, std::initializer_list<uint64_t> dims, uint32_t type,
                      uint64_t offset) {
        text(name).u32(uint32_t(dims.size()));
        for (const uint64_t dim : dims) u64(dim);
        return u32(type).u64(offset);
    }
    GgufBytes& zeros(size_t count) { return bytes_.append(count, '\0'), *this; }
    GgufBytes& align(size_t alignment = 32) {
        return zeros((alignment - bytes_.size() % alignment) % alignment);
    }

    const std::string& str() const { return bytes_; }
    std::span<const std::byte> span() const { return std::as_bytes(std::span(bytes_)); }

  private:
    template <class T>
    GgufBytes& number(T value) {
        char raw_value[sizeof(T)];
        std::memcpy(raw_value, &value, sizeof(T));
        bytes_.append(raw_value, sizeof(T));
        return *this;
    }

    std::string bytes_;
};

// One key and two small tensors: 3 floats, and a row of 32 in Q4_0.
inline GgufBytes tiny_gguf() {
    GgufBytes bytes(2, 1);
    bytes.key("general.architecture", 8).text("llama");
    bytes.tensor("norm", {3}, 0, 0).tensor("matrix", {32, 1}, 2, 32).align();
    for (uint8_t i = 0; i < 12; ++i) bytes.u8(i);
    bytes.align();
    for (uint8_t i = 0; i < 18; ++i) bytes.u8(uint8_t(100 + i));
    return bytes.align();
}

}  // namespace ingle::test
