#include "chat/jinja/string_literal.h"

#include <array>
#include <cstdio>

#include "base/utf8.h"

namespace ingle::jinja {

namespace {

int digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const char lower = char(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

class Escapes {
  public:
    explicit Escapes(std::string_view body) : body_(body) {}

    Result<std::string> run() {
        while (at_ < body_.size()) {
            if (body_[at_] != '\\' || at_ + 1 == body_.size()) {
                out_ += body_[at_++];
                continue;
            }
            ++at_;
            INGLE_TRY(one());
        }
        return std::move(out_);
    }

  private:
    Status one() {
        static constexpr std::string_view names = "abfnrtv\\'\"";
        static constexpr std::string_view values = "\a\b\f\n\r\t\v\\'\"";
        const char c = body_[at_];
        if (const size_t i = names.find(c); i != std::string_view::npos) {
            out_ += values[i];
            ++at_;
            return Status();
        }
        if (c == '\n') {
            ++at_;
            return Status();
        }
        if (c == 'x') return hexadecimal(2);
        if (c == 'u') return hexadecimal(4);
        if (c == 'U') return hexadecimal(8);
        if (c == 'N') return fail(Code::unsupported, "characters by name (\\N{...}) in a string");
        if (c >= '0' && c <= '7') return octal();
        out_ += '\\';
        if (static_cast<unsigned char>(c) >= 0x80) spelled_out();
        return Status();
    }

    Status hexadecimal(size_t digits) {
        char32_t point = 0;
        for (size_t i = 1; i <= digits; ++i) {
            const int value = at_ + i < body_.size() ? digit_value(body_[at_ + i]) : 99;
            if (value > 15)
                return fail(Code::corrupt, "a \\", body_[at_], " escape needs ", digits,
                            " hexadecimal digits");
            point = point * 16 + char32_t(value);
        }
        at_ += digits + 1;
        if (point > 0x10ffff) return fail(Code::corrupt, "an escape beyond the last character");
        // Surrogates are no characters of their own.
        const bool surrogate = point >= 0xd800 && point < 0xe000;
        utf8::append(out_, surrogate ? char32_t(0xfffd) : point);
        return Status();
    }

    Status octal() {
        char32_t point = 0;
        for (int i = 0; i < 3 && at_ < body_.size() && body_[at_] >= '0' && body_[at_] <= '7'; ++i)
            point = point * 8 + char32_t(body_[at_++] - '0');
        utf8::append(out_, point);
        return Status();
    }

    // The reference spells characters beyond ASCII as escapes before it resolves any, so that one
    // after a backslash stays spelled out.
    void spelled_out() {
        const auto decoded = utf8::decode(body_.substr(at_));
        std::array<char, 12> buffer;
        const char* format = decoded.point < 0x100     ? "x%02x"
                             : decoded.point < 0x10000 ? "u%04x"
                                                       : "U%08x";
        const int size =
            std::snprintf(buffer.data(), buffer.size(), format, unsigned(decoded.point));
        out_.append(buffer.data(), size_t(size));
        at_ += size_t(decoded.length);
    }

    std::string_view body_;
    std::string out_;
    size_t at_ = 0;
};

}  // namespace

Result<std::string> resolve_escapes(std::string_view body) {
    return Escapes(body).run();
}

}  // namespace ingle::jinja
