// Filters that make or change numbers.
#include <charconv>
#include <cmath>

#include "base/utf8.h"
#include "chat/jinja/format.h"
#include "chat/jinja/function.h"
#include "chat/jinja/iterate.h"
#include "chat/jinja/operators.h"
#include "chat/jinja/print.h"
#include "chat/jinja/runtime.h"
#include "chat/jinja/text_functions.h"

namespace ingle::jinja::filters {

namespace {

// Digits that single underscores may group, without surrounding blanks: as int() and float() read
// text.
std::optional<std::string> cleaned(const Text& text) {
    std::string out;
    const std::vector<Range> words = words_of(text);
    if (words.size() != 1) return std::nullopt;
    const std::string_view word =
        text.bytes().substr(words[0].begin, words[0].end - words[0].begin);
    const auto digit = [&](size_t i) {
        return i < word.size() &&
               ((word[i] >= '0' && word[i] <= '9') || (word[i] >= 'a' && word[i] <= 'z') ||
                (word[i] >= 'A' && word[i] <= 'Z'));
    };
    for (size_t i = 0; i < word.size(); ++i) {
        if (word[i] != '_') {
            out += word[i];
        } else if (i == 0 || !digit(i - 1) || !digit(i + 1)) {
            return std::nullopt;
        }
    }
    return out;
}

std::optional<int64_t> whole_of_text(const Text& text, int64_t base) {
    const auto clean = cleaned(text);
    if (!clean) return std::nullopt;
    std::string_view digits = *clean;
    const bool negative = digits[0] == '-';
    if (negative || digits[0] == '+') digits.remove_prefix(1);
    static constexpr std::pair<char, int64_t> prefixes[] = {{'x', 16}, {'o', 8}, {'b', 2}};
    for (const auto& [letter, radix] : prefixes) {
        const bool named = digits.size() > 2 && digits[0] == '0' && (digits[1] | 0x20) == letter;
        if (!named || (base != 0 && base != radix)) continue;
        digits.remove_prefix(2);
        base = radix;
        break;
    }
    if (base == 0) base = 10;
    if (base < 2 || base > 36) return std::nullopt;
    int64_t value = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, int(base));
    if (error != std::errc() || end != digits.data() + digits.size() || digits.empty() ||
        digits[0] == '-')
        return std::nullopt;
    return negative ? -value : value;
}

std::optional<double> real_of_text(const Text& text) {
    auto clean = cleaned(text);
    if (!clean) return std::nullopt;
    std::string digits;
    for (const char c : *clean) digits += c >= 'A' && c <= 'Z' ? char(c + 32) : c;
    if (digits[0] == '+') digits.erase(0, 1);
    const std::string_view magnitude = std::string_view(digits).substr(digits[0] == '-' ? 1 : 0);
    if (magnitude == "nan") return std::nan("");
    // Forms that Python reads beside the plain ones: ".5" and "5.".
    std::string plain;
    if (magnitude.size() < digits.size()) plain += '-';
    for (size_t i = 0; i < magnitude.size(); ++i) {
        const auto digit = [&](size_t at) {
            return at < magnitude.size() && magnitude[at] >= '0' && magnitude[at] <= '9';
        };
        if (magnitude[i] == '.' && i == 0 && !digit(1)) return std::nullopt;
        if (magnitude[i] == '.' && i == 0) plain += '0';
        plain += magnitude[i];
        if (magnitude[i] == '.' && !digit(i + 1)) plain += '0';
    }
    return parse_real(plain);
}

std::optional<double> real_of(const Value& value) {
    if (const Text* text = value.text()) return real_of_text(*text);
    return value.number();
}

Result<Value> to_int(Call& call) {
    if (call.self.is_undefined()) return undefined_error(call.self);
    const Value otherwise = call.given(0) ? call[0] : Value(0);
    INGLE_ASSIGN(const int64_t base, call.integer(1, 10));
    if (const Text* text = call.self.text())
        if (const auto whole = whole_of_text(*text, base)) return Value(*whole);
    if (const auto whole = call.self.integer()) return Value(*whole);
    const auto real = real_of(call.self);
    if (call.self.as<double>() && std::isinf(*real))
        return fail(Code::invalid_argument, "cannot convert float infinity to integer");
    if (!real || !std::isfinite(*real)) return otherwise;
    if (!(std::fabs(*real) < 9.2233720368547758e18))
        return fail(Code::limit, "the number ", real_text(*real), " does not fit in 64 bits");
    return Value(int64_t(*real));
}

Result<Value> to_float(Call& call) {
    if (call.self.is_undefined()) return undefined_error(call.self);
    if (const auto real = real_of(call.self)) return Value(*real);
    return call.given(0) ? call[0] : Value(0.0);
}

Result<Value> absolute(Call& call) {
    if (call.self.is_undefined()) return undefined_error(call.self);
    if (const auto whole = call.self.integer())
        return *whole < 0 ? negate(call.runtime, call.self) : Value(*whole);
    if (const auto* real = call.self.as<double>()) return Value(std::fabs(*real));
    return fail(Code::invalid_argument, "bad operand type for abs(): '", type_name(call.self), "'");
}

// To a multiple of 10^places, halves to the even one.
Result<Value> round_whole(int64_t value, int64_t places) {
    if (places > 18) return Value(0);
    int64_t unit = 1;
    for (int64_t i = 0; i < places; ++i) unit *= 10;
    const int64_t rest = ((value % unit) + unit) % unit;
    const int64_t floor = value - rest;
    const bool up = rest * 2 > unit || (rest * 2 == unit && (floor / unit) % 2 != 0);
    return Value(up ? floor + unit : floor);
}

Result<Value> round_common(const Value& value, int64_t precision) {
    if (const auto whole = value.integer()) {
        if (precision >= 0) return Value(*whole);
        return round_whole(*whole, -precision);
    }
    const double real = *value.number();
    if (!std::isfinite(real) || precision > 330) return Value(real);
    if (precision >= 0) return Value(parse_real(fixed_text(real, int(precision))).value_or(real));
    if (precision < -310) return Value(std::copysign(0.0, real));
    const double unit = std::pow(10.0, double(-precision));
    return Value(std::nearbyint(real / unit) * unit);
}

Result<Value> round(Call& call) {
    INGLE_ASSIGN(const int64_t precision, call.integer(0, 0));
    INGLE_ASSIGN(const TextPtr method, call.text(1, "common"));
    if (call.self.is_undefined()) return undefined_error(call.self);
    if (!call.self.number())
        return fail(Code::invalid_argument, "type ", type_name(call.self),
                    " doesn't define __round__ method");
    if (method->bytes() == "common") return round_common(call.self, precision);
    const bool up = method->bytes() == "ceil";
    if (!up && method->bytes() != "floor")
        return fail(Code::invalid_argument, "method must be common, ceil or floor");
    const double unit = std::pow(10.0, double(precision));
    const double scaled = *call.self.number() * unit;
    return Value((up ? std::ceil(scaled) : std::floor(scaled)) / unit);
}

Result<Value> filesizeformat(Call& call) {
    if (call.self.is_undefined()) return undefined_error(call.self);
    const auto bytes = real_of(call.self);
    if (!bytes)
        return fail(Code::invalid_argument, "could not convert ", type_name(call.self),
                    " to float");
    const bool binary = call.flag(0, false);
    const double base = binary ? 1024 : 1000;
    if (*bytes == 1) return Value::text("1 Byte");
    if (*bytes < base) return Value::text(cat(int64_t(*bytes), " Bytes"));
    static constexpr std::string_view letters = "kMGTPEZY";
    double unit = base;
    for (size_t i = 0;; ++i) {
        if (*bytes < unit * base || i + 1 == letters.size()) {
            const char letter = binary && i == 0 ? 'K' : letters[i];
            return Value::text(cat(fixed_text(*bytes / unit, 1), " ", letter, binary ? "iB" : "B"));
        }
        unit *= base;
    }
}

constexpr Function functions[] = {
    {"int", "default? base?", to_int},
    {"float", "default?", to_float},
    {"abs", "", absolute},
    {"round", "precision? method?", round},
    {"filesizeformat", "binary?", filesizeformat},
};

}  // namespace

namespace entries {
extern const Family number;
const Family number = {functions};
}  // namespace entries

}  // namespace ingle::jinja::filters
