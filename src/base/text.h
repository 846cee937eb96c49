// Small text helpers: joining values into a message, splitting, trimming, numbers from text.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingle {

namespace detail {
inline void append(std::string& out, std::string_view text) { out += text; }
inline void append(std::string& out, char c) { out += c; }
inline void append(std::string& out, std::same_as<bool> auto value) { out += value ? "true" : "false"; }
inline void append(std::string& out, std::integral auto value)
    requires(!std::same_as<decltype(value), bool>)
{
    out += std::to_string(value);
}
void append(std::string& out, double value);  // shortest form that reads back as the same value
}  // namespace detail

// cat("row ", 3, " of ", 7.5) == "row 3 of 7.5"
template <class... Parts>
std::string cat(const Parts&... parts) {
    std::string out;
    (detail::append(out, parts), ...);
    return out;
}

std::vector<std::string_view> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
bool starts_with_ignoring_case(std::string_view text, std::string_view prefix);

// The whole text as a number, or nothing: no leading '+', no trailing characters, no locale.
std::optional<int64_t> parse_int(std::string_view text);
std::optional<double> parse_real(std::string_view text);

// 1536 -> "1.5 KiB"
std::string human_bytes(uint64_t bytes);

// The candidate that `word` most probably meant (edit distance at most a third of its length), or "".
std::string_view closest(std::string_view word, const std::vector<std::string_view>& candidates);

// Text as it may be shown in a message: control characters escaped, cut at `bytes_max`.
// An object, so that a std::string argument does not also find std::quoted.
struct Quoted {
    std::string operator()(std::string_view text, size_t bytes_max = 80) const;
};
inline constexpr Quoted quoted;

}  // namespace ingle
