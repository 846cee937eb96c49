#include "chat/jinja/format.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/utf8.h"
#include "chat/jinja/print.h"
#include "chat/jinja/runtime.h"

namespace ingle::jinja {

namespace {

constexpr int64_t precision_max = 1000;
constexpr int64_t width_max = 1'000'000'000;

std::string real_digits(double value, std::chars_format format, int precision) {
    std::string buffer(size_t(precision) + 400, '\0');
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, precision).ptr;
    buffer.resize(size_t(end - buffer.data()));
    return buffer;
}

std::string whole_digits(uint64_t value, int base) {
    char buffer[70];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, base).ptr;
    return std::string(buffer, size_t(end - buffer));
}

void to_upper(std::string& text) {
    for (char& c : text)
        if (c >= 'a' && c <= 'z') c = char(c - 32);
}

std::string grouped(const std::string& digits, char mark, size_t size) {
    const size_t whole =
        std::min(digits.find_first_not_of("0123456789abcdefABCDEF"), digits.size());
    std::string out;
    for (size_t i = 0; i < whole; ++i) {
        if (i > 0 && (whole - i) % size == 0) out += mark;
        out += digits[i];
    }
    return out + digits.substr(whole);
}

std::string magnitude_of_real(const Layout& layout, double value) {
    const char type = char(layout.type | 0x20);
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return "inf";
    const int precision = layout.precision < 0 ? 6 : int(layout.precision);
    if (layout.type == '%')
        return real_digits(value * 100, std::chars_format::fixed, precision) + "%";
    if (type == 'f') return real_digits(value, std::chars_format::fixed, precision);
    if (type == 'e') return real_digits(value, std::chars_format::scientific, precision);
    if (type == 'g' || type == 'n' || layout.precision >= 0) {
        std::string digits = real_digits(value, std::chars_format::general, std::max(precision, 1));
        // Without a type at least one digit follows the point.
        if (layout.type == 0 && digits.find_first_of(".e") == std::string::npos) digits += ".0";
        return digits;
    }
    return real_text(value);
}

std::string magnitude_of_whole(const Layout& layout, uint64_t value) {
    const char type = char(layout.type | 0x20);
    const int base = type == 'x' ? 16 : type == 'o' ? 8 : type == 'b' ? 2 : 10;
    std::string digits = whole_digits(value, base);
    if (layout.alternate && base != 10) digits = cat("0", type, digits);
    return digits;
}

// Characters of text, at most `precision` of them.
Status append_text(TextBuilder& out, const Layout& layout, const Text& text, Meter& meter) {
    if (layout.precision < 0) return append_padded(out, layout, text, '<');
    TextBuilder cut(meter);
    cut.append(text, 0, text.offset_of(size_t(layout.precision)));
    INGLE_ASSIGN(const TextPtr body, cut.finish());
    return append_padded(out, layout, *body, '<');
}

bool read_number(std::string_view text, size_t& at, int64_t& out) {
    int64_t value = 0;
    const size_t begin = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9')
        value = std::min(value * 10 + (text[at++] - '0'), width_max);
    if (at > begin) out = value;
    return at > begin;
}

// [[fill]align][sign][#][0][width][,][.precision][type]
Result<Layout> parse_spec(const Text& spec) {
    static constexpr std::string_view aligns = "<>^=";
    const std::string_view text = spec.bytes();
    Layout layout;
    size_t at = 0;
    const auto here = [&](size_t i) { return i < text.size() ? text[i] : '\0'; };
    const size_t first = text.empty() ? 0 : character_bytes(text[0]);
    if (first < text.size() && aligns.find(text[first]) != std::string_view::npos) {
        layout.fill = utf8::decode(text).point;
        layout.fill_untrusted = !spec.untrusted().empty();
        layout.align = text[first];
        at = first + 1;
    } else if (!text.empty() && aligns.find(text[0]) != std::string_view::npos) {
        layout.align = text[at++];
    }
    if (here(at) == '+' || here(at) == '-' || here(at) == ' ') layout.sign = text[at++];
    if (here(at) == '#') layout.alternate = true, ++at;
    if (here(at) == '0') layout.zero = true, ++at;
    read_number(text, at, layout.width);
    if (here(at) == ',' || here(at) == '_') layout.grouping = text[at++];
    if (here(at) == '.') {
        ++at;
        if (!read_number(text, at, layout.precision))
            return fail(Code::invalid_argument, "Format specifier missing precision");
    }
    if (at < text.size()) layout.type = text[at++];
    if (at < text.size())
        return fail(Code::invalid_argument, "Invalid format specifier ", quoted(text));
    if (layout.zero && !layout.align) {
        layout.align = '=';
        layout.fill = '0';
    }
    return layout;
}

}  // namespace

std::string fixed_text(double value, int precision) {
    return real_digits(value, std::chars_format::fixed, precision);
}

Status append_padded(TextBuilder& out, const Layout& layout, const Text& body, char usual_align) {
    const int64_t length = int64_t(body.length());
    const char align = layout.align ? layout.align : usual_align;
    const uint64_t padding = uint64_t(std::max<int64_t>(layout.width - length, 0));
    std::string fill_bytes;
    utf8::append(fill_bytes, layout.fill);
    const Text fill(fill_bytes, layout.fill_untrusted);
    const uint64_t left = align == '<' ? 0 : align == '^' ? padding / 2 : padding;
    size_t prefix = 0;
    if (align == '=') {
        const std::string_view bytes = body.bytes();
        if (!bytes.empty() && (bytes[0] == '-' || bytes[0] == '+' || bytes[0] == ' ')) prefix = 1;
        if (layout.alternate && bytes.size() > prefix + 1 && bytes[prefix] == '0') prefix += 2;
    }
    out.append(body, 0, prefix).append_repeated(fill, left);
    out.append(body, prefix, body.bytes().size()).append_repeated(fill, padding - left);
    return Status();
}

Result<std::string> number_digits(const Layout& layout, const Value& number) {
    static constexpr std::string_view real_types = "eEfFgG%";
    if (layout.precision > precision_max)
        return fail(Code::limit, "a precision above ", precision_max);
    const bool real_type = real_types.find(layout.type) != std::string_view::npos && layout.type;
    std::string digits;
    bool negative = false;
    if (const auto whole = number.integer(); whole && !real_type) {
        negative = *whole < 0;
        digits = magnitude_of_whole(layout, negative ? 0 - uint64_t(*whole) : uint64_t(*whole));
    } else {
        const double value = *number.number();
        negative = std::signbit(value) && !std::isnan(value);
        digits = magnitude_of_real(layout, std::fabs(value));
    }
    if (layout.type >= 'A' && layout.type <= 'Z') to_upper(digits);
    if (layout.grouping) digits = grouped(digits, layout.grouping, layout.type == 'x' ? 4 : 3);
    if (negative) return "-" + digits;
    return layout.sign == '-' ? digits : layout.sign + digits;
}

Status append_formatted(Runtime& runtime, TextBuilder& out, const Value& value, const Text& spec) {
    if (spec.empty()) return append_str(runtime, out, value);
    INGLE_ASSIGN(const Layout layout, parse_spec(spec));
    const auto wrong_type = [&] {
        return fail(Code::invalid_argument, "Unknown format code '", layout.type,
                    "' for object of type '", type_name(value), "'");
    };
    if (const Text* text = value.text()) {
        if (layout.type && layout.type != 's') return wrong_type();
        if (layout.align == '=')
            return fail(Code::invalid_argument,
                        "'=' alignment not allowed in string format specifier");
        return append_text(out, layout, *text, runtime.meter());
    }
    if (!value.number())
        return fail(Code::invalid_argument, "unsupported format string passed to ",
                    type_name(value), ".__format__");
    const std::string_view allowed = value.integer() ? "bcdoxXneEfFgG%" : "eEfFgGn%";
    if (layout.type && allowed.find(layout.type) == std::string_view::npos) return wrong_type();
    if (layout.type == 'c') {
        const int64_t point = *value.integer();
        if (point < 0 || point > 0x10ffff)
            return fail(Code::invalid_argument, "%c arg not in range(0x110000)");
        std::string bytes;
        utf8::append(bytes, char32_t(point));
        return append_padded(out, layout, Text(bytes), '<');
    }
    INGLE_ASSIGN(std::string digits, number_digits(layout, value));
    return append_padded(out, layout, Text(std::move(digits)), '>');
}

}  // namespace ingle::jinja
