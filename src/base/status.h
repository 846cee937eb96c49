// Status and Result<T>: how every failure that a file, a user or a device can cause is reported.
// A message says what was expected, what was found and where. Asserts are for our own invariants only.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/text.h"

namespace ingle {

enum class Code : int {
    ok = 0,
    invalid_argument,  // the caller asked for something impossible
    not_found,         // a file, a name
    corrupt,           // a file or message contradicts itself
    unsupported,       // well-formed, but this build cannot do it
    out_of_memory,     // would not fit; nothing was changed
    io,                // the operating system said no
    limit,             // a stated limit was reached (steps, depth, context)
    cancelled,
    internal,          // our own fault
};

// The name of a code as users see it, e.g. "not found".
std::string_view to_string(Code code);

// Either ok or a code with a message. Must be looked at.
class [[nodiscard]] Status {
  public:
    Status() = default;
    Status(Code code, std::string message) : code_(code), message_(std::move(message)) {}

    bool ok() const { return code_ == Code::ok; }
    Code code() const { return code_; }
    const std::string& message() const { return message_; }

    // The same failure with `where` and ": " put before its message. Ok stays ok.
    Status in(std::string_view where) && {
        if (!ok()) message_.insert(0, cat(where, ": "));
        return std::move(*this);
    }

  private:
    Code code_ = Code::ok;
    std::string message_;
};

// fail(Code::corrupt, "tensor '", name, "': offset ", offset, " ...") builds a failure from parts.
template <class... Parts>
Status fail(Code code, const Parts&... parts) {
    return Status(code, cat(parts...));
}

// A value or the failure that prevented it.
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : value_(std::move(value)) {}  // NOLINT: implicit on purpose
    Result(Status status) : status_(std::move(status)) { assert(!status_.ok()); }  // NOLINT

    bool ok() const { return value_.has_value(); }
    const Status& status() const& { return status_; }
    Status status() && { return std::move(status_); }

    T& value() & { return assert(ok()), *value_; }
    const T& value() const& { return assert(ok()), *value_; }
    T&& value() && { return assert(ok()), std::move(*value_); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

  private:
    std::optional<T> value_;
    Status status_;
};

}  // namespace ingle

// Leaves the function with the failure of `expression` (a Status), if it is one.
#define INGLE_TRY(expression)                                                  \
    do {                                                                       \
        if (::ingle::Status ingle_status_ = (expression); !ingle_status_.ok()) \
            return ingle_status_;                                              \
    } while (false)

#define INGLE_JOIN_(a, b) a##b
#define INGLE_JOIN(a, b) INGLE_JOIN_(a, b)
#define INGLE_ASSIGN_(result, declaration, expression)   \
    auto result = (expression);                          \
    if (!result.ok()) return std::move(result).status(); \
    declaration = std::move(result).value()

// INGLE_ASSIGN(const auto file, MappedFile::open(path)): the value, or leave with the failure.
#define INGLE_ASSIGN(declaration, ...) \
    INGLE_ASSIGN_(INGLE_JOIN(ingle_result_, __LINE__), declaration, (__VA_ARGS__))
