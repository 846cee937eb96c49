// A metadata value of a GGUF file. The index of the alternative is the type's id in the file:
//   u8 0  i8 1  u16 2  i16 3  u32 4  i32 5  f32 6  bool 7  string 8  array 9  u64 10  i64 11
//   f64 12
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/status.h"

namespace ingle::gguf {

enum class ValueType : uint32_t {
    u8,
    i8,
    u16,
    i16,
    u32,
    i32,
    f32,
    boolean,
    string,
    array,
    u64,
    i64,
    f64
};

// A list of strings stored as views. `owner` keeps their bytes alive (a file's mapping, or one
// buffer); it is empty for views into memory that the caller keeps.
class Strings {
  public:
    Strings() = default;
    Strings(std::vector<std::string_view> views, std::shared_ptr<const void> owner)
        : views_(std::move(views)), owner_(std::move(owner)) {}
    // Copies the bytes into one buffer of its own.
    static Strings copy_of(std::span<const std::string_view> views);
    static Strings copy_of(std::span<const std::string> strings);

    std::span<const std::string_view> views() const { return views_; }
    size_t size() const { return views_.size(); }
    bool operator==(const Strings& other) const { return views_ == other.views_; }

  private:
    std::vector<std::string_view> views_;
    std::shared_ptr<const void> owner_;
};

struct Array {
    using Elements =
        std::variant<std::vector<uint8_t>, std::vector<int8_t>, std::vector<uint16_t>,
                     std::vector<int16_t>, std::vector<uint32_t>, std::vector<int32_t>,
                     std::vector<float>, std::vector<bool>, Strings, std::vector<Array>,
                     std::vector<uint64_t>, std::vector<int64_t>, std::vector<double>>;
    Elements elements;

    ValueType element_type() const { return ValueType(elements.index()); }
    size_t size() const;
    bool operator==(const Array&) const = default;
};

using Value = std::variant<uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, float, bool,
                           std::string, Array, uint64_t, int64_t, double>;

static_assert(std::variant_size_v<Value> == size_t(ValueType::f64) + 1);
static_assert(std::variant_size_v<Array::Elements> == std::variant_size_v<Value>);

inline ValueType type_of(const Value& value) {
    return ValueType(value.index());
}
// "u32", "string", ...
std::string_view name_of(ValueType type);
// For messages: "u32 7", "string 'abc'", "array of 32000 string".
std::string describe(const Value& value);

// The value as T, if T can hold it exactly; otherwise says what was expected and found.
//   integers   from any integer type whose value fits, and from bool
//   float, double   from f32, f64 and any integer
//   bool       from bool and from the integers 0 and 1
//   std::string_view   from string; valid as long as `value`
//   std::span<const std::string_view>   from an array of strings; valid as long as `value`
//   std::vector<N>   from an array of numbers or bools, each converted as above
// Defined for T, N in int8_t ... uint64_t, float, double, bool.
template <class T>
Result<T> as(const Value& value);

}  // namespace ingle::gguf
