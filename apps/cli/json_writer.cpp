#include "cli/json_writer.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "base/utf8.h"

namespace ingle::cli {

void JsonWriter::new_line() {
    if (indent_ == 0) return;
    text_ += '\n';
    text_.append(size_t(indent_ * depth_), ' ');
}

void JsonWriter::before_value() {
    if (after_key_) {
        after_key_ = false;
        return;
    }
    if (depth_ == 0) return;
    if (!first_) text_ += indent_ == 0 ? ", " : ",";
    new_line();
    first_ = false;
}

JsonWriter& JsonWriter::open(char bracket) {
    before_value();
    text_ += bracket;
    ++depth_;
    first_ = true;
    return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
    --depth_;
    if (!first_) new_line();
    text_ += bracket;
    first_ = false;
    return *this;
}

JsonWriter& JsonWriter::raw(std::string_view token) {
    before_value();
    text_ += token;
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    value(name);
    text_ += ": ";
    after_key_ = true;
    return *this;
}

JsonWriter& JsonWriter::value(double number) {
    return std::isfinite(number) ? raw(cat(number)) : null();
}

JsonWriter& JsonWriter::value(float number) {
    if (!std::isfinite(number)) return null();
    std::array<char, 32> digits;
    for (int precision = 6; precision <= 9; ++precision) {
        std::snprintf(digits.data(), digits.size(), "%.*g", precision, double(number));
        if (float(parse_real(digits.data()).value_or(0)) == number) break;
    }
    return raw(digits.data());
}

JsonWriter& JsonWriter::value(std::string_view text) {
    std::string escaped = "\"";
    for (const char c : utf8::replace_invalid(text)) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            escaped += '\\';
            escaped += c;
        } else if (byte < 0x20 || byte == 0x7f) {
            std::array<char, 8> code;
            std::snprintf(code.data(), code.size(), "\\u%04x", byte);
            escaped += code.data();
        } else {
            escaped += c;
        }
    }
    return raw(escaped + '"');
}

}  // namespace ingle::cli
