// Reads a header's numbers and strings in sequence, never past the end; failures say what, where.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

#include "base/status.h"

namespace ingle::gguf {

static_assert(std::endian::native == std::endian::little,
              "numbers are copied from little-endian files as they are");

class Cursor {
  public:
    explicit Cursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

    uint64_t offset() const { return offset_; }
    uint64_t remaining() const { return bytes_.size() - offset_; }

    // These return false at the end of the file and then take nothing.
    template <class T>
    bool take(T& out) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (remaining() < sizeof(T)) return false;
        std::memcpy(&out, bytes_.data() + offset_, sizeof(T));
        offset_ += sizeof(T);
        return true;
    }
    bool take(std::string_view& out, uint64_t length) {
        if (remaining() < length) return false;
        out = {reinterpret_cast<const char*>(bytes_.data()) + offset_, size_t(length)};
        offset_ += length;
        return true;
    }

    template <class T>
    Status number(T& out, std::string_view what) {
        return take(out) ? Status() : truncated(sizeof(T), what);
    }
    template <class T>
    Status numbers(std::span<T> out, std::string_view what) {
        std::string_view raw;
        if (!take(raw, out.size_bytes())) return truncated(out.size_bytes(), what);
        if (!raw.empty()) std::memcpy(out.data(), raw.data(), raw.size());
        return {};
    }
    // A u64 length and that many bytes.
    Status string(std::string_view& out, uint64_t bytes_max, std::string_view what) {
        uint64_t length = 0;
        INGLE_TRY(number(length, what));
        if (length > bytes_max)
            return fail(Code::corrupt, what, ": expected at most ", bytes_max,
                        " bytes, found a length of ", length, " at byte ",
                        offset_ - sizeof(length));
        return take(out, length) ? Status() : truncated(length, what);
    }
    // Checks, before anything is reserved, that `count` things of `bytes_min` or more can follow.
    Status fits(uint64_t count, uint64_t bytes_min, std::string_view what) const {
        if (count <= remaining() / bytes_min) return {};
        return fail(Code::corrupt, "truncated or corrupt file: ", count, " ", what,
                    " cannot fit in the ", remaining(), " bytes from byte ", offset_);
    }
    Status truncated(uint64_t wanted, std::string_view what) const {
        return fail(Code::corrupt, "truncated file: expected ", wanted, " bytes for ", what,
                    " at byte ", offset_, ", found ", remaining());
    }

  private:
    std::span<const std::byte> bytes_;
    uint64_t offset_ = 0;
};

}  // namespace ingle::gguf
