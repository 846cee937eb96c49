#include "gguf/value.h"

#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <utility>

namespace ingle::gguf {

namespace {

constexpr std::array<std::string_view, std::variant_size_v<Value>> type_names = {
    "u8", "i8", "u16", "i16", "u32", "i32", "f32", "bool", "string", "array", "u64", "i64", "f64"};

template <class T>
concept Number = std::is_arithmetic_v<T>;  // bool included

template <class Views>
Strings copied(const Views& texts) {
    size_t total = 0;
    for (const auto& text : texts) total += text.size();
    auto buffer = std::make_shared<std::string>();
    buffer->reserve(total);
    for (const auto& text : texts) *buffer += text;

    std::vector<std::string_view> views;
    views.reserve(texts.size());
    std::string_view rest = *buffer;
    for (const auto& text : texts) {
        views.push_back(rest.substr(0, text.size()));
        rest.remove_prefix(text.size());
    }
    return Strings(std::move(views), std::move(buffer));
}

// False if To cannot hold the value exactly (float from wider numbers rounds, which is allowed).
template <Number To, Number From>
bool converted(From from, To& to) {
    if constexpr (std::floating_point<To>) {
        to = static_cast<To>(from);
        return true;
    } else if constexpr (std::floating_point<From>) {
        return false;
    } else if constexpr (std::same_as<To, bool>) {
        to = from == From(1);
        return from == From(0) || from == From(1);
    } else if constexpr (std::same_as<From, bool>) {
        to = from ? To(1) : To(0);
        return true;
    } else {
        to = static_cast<To>(from);
        return std::in_range<To>(from);
    }
}

template <Number T>
std::string expected_name() {
    if constexpr (std::same_as<T, bool>)
        return "true or false";
    else if constexpr (std::floating_point<T>)
        return "a number";
    else
        return cat(std::is_signed_v<T> ? "an integer of " : "an unsigned integer of ",
                   8 * sizeof(T), " bits");
}

Status mismatch(std::string_view expected, const Value& found) {
    return fail(Code::invalid_argument, "expected ", expected, ", found ", describe(found));
}

template <Number T>
Result<T> as_number(const Value& value) {
    T out{};
    const bool fits = std::visit(
        [&]<class From>(const From& from) {
            if constexpr (Number<From>)
                return converted(from, out);
            else
                return false;
        },
        value);
    if (!fits) return mismatch(expected_name<T>(), value);
    return out;
}

template <Number T>
Result<std::vector<T>> as_vector(const Value& value) {
    const std::string expected = cat("an array, each element ", expected_name<T>());
    const Array* const array = std::get_if<Array>(&value);
    if (array == nullptr) return mismatch(expected, value);
    std::vector<T> out;
    const bool fits = std::visit(
        [&]<class List>(const List& list) {
            if constexpr (std::same_as<List, Strings> || std::same_as<List, std::vector<Array>>) {
                return list.size() == 0;
            } else {
                out.reserve(list.size());
                for (const typename List::value_type element : list) {
                    T to{};
                    if (!converted(element, to)) return false;
                    out.push_back(to);
                }
                return true;
            }
        },
        array->elements);
    if (!fits) return mismatch(expected, value);
    return out;
}

}  // namespace

Strings Strings::copy_of(std::span<const std::string_view> views) {
    return copied(views);
}
Strings Strings::copy_of(std::span<const std::string> strings) {
    return copied(strings);
}

size_t Array::size() const {
    return std::visit([](const auto& list) { return list.size(); }, elements);
}

std::string_view name_of(ValueType type) {
    return type_names[size_t(type)];
}

std::string describe(const Value& value) {
    const std::string_view type = name_of(type_of(value));
    return std::visit(
        [&]<class T>(const T& held) {
            if constexpr (std::same_as<T, Array>)
                return cat("array of ", held.size(), " ", name_of(held.element_type()));
            else if constexpr (std::same_as<T, std::string>)
                return cat(type, " ", quoted(held));
            else if constexpr (std::floating_point<T>)
                return cat(type, " ", double(held));
            else
                return cat(type, " ", held);
        },
        value);
}

template <class T>
Result<T> as(const Value& value) {
    if constexpr (Number<T>) {
        return as_number<T>(value);
    } else if constexpr (std::same_as<T, std::string_view>) {
        if (const auto* text = std::get_if<std::string>(&value)) return std::string_view(*text);
        return mismatch("a string", value);
    } else if constexpr (std::same_as<T, std::span<const std::string_view>>) {
        const Array* const array = std::get_if<Array>(&value);
        const auto* strings = array ? std::get_if<Strings>(&array->elements) : nullptr;
        if (strings != nullptr) return strings->views();
        return mismatch("an array of strings", value);
    } else {
        return as_vector<typename T::value_type>(value);
    }
}

#define INGLE_INSTANTIATE(T)                \
    template Result<T> as<T>(const Value&); \
    template Result<std::vector<T>> as<std::vector<T>>(const Value&);
INGLE_INSTANTIATE(uint8_t)
INGLE_INSTANTIATE(int8_t)
INGLE_INSTANTIATE(uint16_t)
INGLE_INSTANTIATE(int16_t)
INGLE_INSTANTIATE(uint32_t)
INGLE_INSTANTIATE(int32_t)
INGLE_INSTANTIATE(uint64_t)
INGLE_INSTANTIATE(int64_t)
INGLE_INSTANTIATE(float)
INGLE_INSTANTIATE(double)
INGLE_INSTANTIATE(bool)
#undef INGLE_INSTANTIATE
template Result<std::string_view> as<std::string_view>(const Value&);
template Result<std::span<const std::string_view>> as<std::span<const std::string_view>>(
    const Value&);

}  // namespace ingle::gguf
