// The pattern half of formatting: what stands between % and its type, and between { and }.
#include <algorithm>

#include "chat/jinja/format.h"
#include "chat/jinja/operators.h"
#include "chat/jinja/print.h"
#include "chat/jinja/runtime.h"

namespace ingle::jinja {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

class PercentPattern {
  public:
    PercentPattern(Runtime& runtime, const Text& pattern, const Value& values)
        : runtime_(runtime),
          pattern_(pattern),
          text_(pattern.bytes()),
          values_(values),
          out_(runtime.meter()) {
        const Sequence* sequence = values.sequence();
        if (sequence && sequence->is_tuple()) {
            items_ = sequence->items;
        } else {
            items_ = {values};
        }
    }

    Result<Value> run() {
        size_t copied = 0;
        for (;;) {
            at_ = text_.find('%', copied);
            if (at_ == std::string_view::npos) break;
            out_.append(pattern_, copied, at_);
            ++at_;
            INGLE_TRY(field());
            copied = at_;
        }
        out_.append(pattern_, copied, text_.size());
        const bool several = values_.sequence() && values_.sequence()->is_tuple();
        // Whatever could be asked for items by name may be left over.
        const bool may_be_left =
            values_.dict() || values_.is_undefined() ||
            (values_.sequence() && values_.sequence()->indexable() && !several);
        if (used_ < items_.size() && !named_ && !may_be_left)
            return fail(Code::invalid_argument,
                        "not all arguments converted during string formatting");
        INGLE_ASSIGN(TextPtr made, out_.finish(pattern_.markup()));
        return Value(std::move(made));
    }

  private:
    char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    Result<Value> next_value() {
        if (used_ >= items_.size())
            return fail(Code::invalid_argument, "not enough arguments for format string");
        return items_[used_++];
    }

    Result<int64_t> size_or_star() {
        int64_t size = 0;
        if (here() == '*') {
            ++at_;
            INGLE_ASSIGN(const Value value, next_value());
            if (!value.integer()) return fail(Code::invalid_argument, "* wants int");
            return *value.integer();
        }
        for (; is_digit(here()); ++at_)
            size = std::min<int64_t>(size * 10 + (here() - '0'), 1 << 30);
        return size;
    }

    Status field() {
        std::optional<Value> by_name;
        if (here() == '(') {
            const size_t end = text_.find(')', at_);
            if (end == std::string_view::npos)
                return fail(Code::invalid_argument, "incomplete format key");
            if (!values_.dict()) return fail(Code::invalid_argument, "format requires a mapping");
            const std::string_view key = text_.substr(at_ + 1, end - at_ - 1);
            const Value* found = values_.dict()->find(key);
            if (!found) return fail(Code::invalid_argument, "no key ", quoted(key), " to format");
            by_name = *found;
            named_ = true;
            at_ = end + 1;
        }
        if (here() == '%') {
            ++at_;
            out_.append("%");
            return Status();
        }
        Layout layout;
        for (;; ++at_) {
            const char c = here();
            if (c == '#')
                layout.alternate = true;
            else if (c == '0')
                layout.zero = true;
            else if (c == '-')
                layout.align = '<';
            else if (c == '+')
                layout.sign = '+';
            else if (c == ' ')
                layout.sign = layout.sign == '+' ? '+' : ' ';
            else
                break;
        }
        INGLE_ASSIGN(layout.width, size_or_star());
        if (layout.width < 0) {
            layout.align = '<';
            layout.width = -layout.width;
        }
        if (here() == '.') {
            ++at_;
            INGLE_ASSIGN(layout.precision, size_or_star());
        }
        while (here() == 'h' || here() == 'l' || here() == 'L') ++at_;
        if (at_ >= text_.size()) return fail(Code::invalid_argument, "incomplete format");
        layout.type = text_[at_++];
        Value value;
        if (by_name) {
            value = *by_name;
        } else {
            INGLE_ASSIGN(value, next_value());
        }
        return convert(layout, value);
    }

    Status convert(Layout layout, const Value& value) {
        static constexpr std::string_view numbers = "diuoxXeEfFgG";
        const bool is_text = layout.type == 's' || layout.type == 'r' || layout.type == 'a';
        if (is_text || layout.type == 'c') {
            INGLE_ASSIGN(const TextPtr body, text_of(layout.type, value));
            TextBuilder cut(runtime_.meter());
            cut.append(*body, 0,
                       layout.precision < 0 || layout.type == 'c'
                           ? body->bytes().size()
                           : body->offset_of(size_t(layout.precision)));
            INGLE_ASSIGN(const TextPtr shown, cut.finish());
            return append_padded(out_, layout, *shown, '>');
        }
        if (numbers.find(layout.type) == std::string_view::npos)
            return fail(Code::invalid_argument, "unsupported format character '", layout.type, "'");
        if (!value.number()) {
            if (value.is_undefined()) return undefined_error(value);
            return fail(Code::invalid_argument, "%", layout.type,
                        " format: a real number is required, not ", type_name(value));
        }
        const bool whole = std::string_view("diuoxX").find(layout.type) != std::string_view::npos;
        const bool decimal = layout.type == 'd' || layout.type == 'i' || layout.type == 'u';
        Value number = value;
        if (whole && value.as<double>()) {
            const double real = *value.number();
            if (!decimal)
                return fail(Code::invalid_argument, "%", layout.type,
                            " format: an integer is required, not float");
            if (!(real > -9.2e18 && real < 9.2e18))
                return fail(Code::limit, "a number beyond 64 bits in %", layout.type);
            number = Value(int64_t(real));
        }
        const int64_t digits_min = whole ? layout.precision : -1;
        if (whole) layout.precision = -1;
        if (decimal) layout.type = 'd';
        if (layout.zero && !layout.align) {
            layout.fill = '0';
            layout.align = '=';
        }
        INGLE_ASSIGN(std::string digits, number_digits(layout, number));
        if (digits_min > 1000) return fail(Code::limit, "a precision above 1000");
        const size_t sign = digits.empty() || is_digit(digits[0]) ? 0 : 1;
        if (digits_min > int64_t(digits.size() - sign))
            digits.insert(sign, size_t(digits_min) - (digits.size() - sign), '0');
        return append_padded(out_, layout, Text(std::move(digits)), '>');
    }

    Result<TextPtr> text_of(char type, const Value& value) {
        TextBuilder text(runtime_.meter());
        if (type == 's') {
            if (!pattern_.markup()) return to_text(runtime_, value);
            return escape_html(runtime_, value);
        }
        if (type != 'c') {
            INGLE_TRY(append_repr(runtime_, text, value));
        } else if (value.text() && value.text()->length() == 1) {
            text.append(*value.text());
        } else if (const auto point = value.integer(); point && *point >= 0 && *point <= 0x10ffff) {
            text.append_point(char32_t(*point), false);
        } else {
            return fail(Code::invalid_argument, "%c requires int or char");
        }
        return text.finish();
    }

    Runtime& runtime_;
    const Text& pattern_;
    std::string_view text_;
    const Value& values_;
    Values items_;
    size_t used_ = 0;
    bool named_ = false;
    size_t at_ = 0;
    TextBuilder out_;
};

class BracePattern {
  public:
    BracePattern(Runtime& runtime, const Arguments& arguments)
        : runtime_(runtime), arguments_(arguments) {}

    // Fields may hold fields in their format, one level deep.
    Result<TextPtr> run(const Text& pattern, int level) {
        if (level > 1) return fail(Code::invalid_argument, "Max string recursion exceeded");
        const std::string_view text = pattern.bytes();
        TextBuilder out(runtime_.meter());
        for (size_t at = 0; at < text.size();) {
            const size_t mark = std::min(text.find_first_of("{}", at), text.size());
            out.append(pattern, at, mark);
            if (mark == text.size()) break;
            if (mark + 1 < text.size() && text[mark + 1] == text[mark]) {
                out.append(pattern, mark, mark + 1);
                at = mark + 2;
                continue;
            }
            if (text[mark] == '}')
                return fail(Code::invalid_argument, "Single '}' encountered in format string");
            size_t end = mark + 1;
            for (int open = 1; end < text.size(); ++end) {
                open += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
                if (open == 0) break;
            }
            if (end >= text.size())
                return fail(Code::invalid_argument, "expected '}' before end of string");
            INGLE_TRY(field(pattern, mark + 1, end, level, out));
            at = end + 1;
        }
        return out.finish(pattern.markup());
    }

  private:
    // name!conversion:spec in [begin, end)
    Status field(const Text& pattern, size_t begin, size_t end, int level, TextBuilder& out) {
        const std::string_view text = pattern.bytes().substr(0, end);
        size_t name_end = begin;
        for (bool bracket = false; name_end < end; ++name_end) {
            const char c = text[name_end];
            bracket = c == '[' || (bracket && c != ']');
            if (!bracket && (c == '!' || c == ':')) break;
        }
        INGLE_ASSIGN(Value value, lookup(text.substr(begin, name_end - begin)));
        size_t at = name_end;
        if (at < end && text[at] == '!') {
            const char conversion = at + 1 < end ? text[at + 1] : '\0';
            if (conversion != 'r' && conversion != 's' && conversion != 'a')
                return fail(Code::invalid_argument,
                            "Unknown conversion specifier in a format string");
            TextBuilder converted(runtime_.meter());
            INGLE_TRY(conversion == 's' ? append_str(runtime_, converted, value)
                                        : append_repr(runtime_, converted, value));
            INGLE_ASSIGN(TextPtr made, converted.finish());
            value = Value(std::move(made));
            at += 2;
        }
        if (at < end && text[at] != ':')
            return fail(Code::invalid_argument, "expected ':' after conversion specifier");
        TextBuilder raw(runtime_.meter());
        if (at < end) raw.append(pattern, at + 1, end);
        INGLE_ASSIGN(TextPtr spec, raw.finish());
        if (!spec->empty()) {
            INGLE_ASSIGN(spec, run(*spec, level + 1));
        }
        if (pattern.markup() && spec->empty()) {
            INGLE_ASSIGN(const TextPtr escaped, escape_html(runtime_, value));
            out.append(*escaped);
            return Status();
        }
        return append_formatted(runtime_, out, value, *spec);
    }

    Result<Value> first(std::string_view name) {
        const auto index = name.empty() ? std::optional<int64_t>(automatic_++) : parse_int(name);
        if (index) {
            if (*index < 0 || size_t(*index) >= arguments_.positional.size())
                return fail(Code::invalid_argument, "Replacement index ", *index,
                            " out of range for positional args tuple");
            return arguments_.positional[size_t(*index)];
        }
        for (const auto& [key, value] : arguments_.named)
            if (key->bytes() == name) return value;
        return fail(Code::invalid_argument, "no value named ", quoted(name), " to format");
    }

    // name, name.attribute, name[key] and so on.
    Result<Value> lookup(std::string_view name) {
        size_t end = std::min(name.find_first_of(".["), name.size());
        INGLE_ASSIGN(Value value, first(name.substr(0, end)));
        while (end < name.size()) {
            const bool bracket = name[end] == '[';
            const size_t begin = end + 1;
            end = bracket ? name.find(']', begin)
                          : std::min(name.find_first_of(".[", begin), name.size());
            if (end == std::string_view::npos)
                return fail(Code::invalid_argument, "Missing ']' in format string");
            const std::string_view key = name.substr(begin, end - begin);
            if (key.empty())
                return fail(Code::invalid_argument, "Empty attribute in format string");
            if (bracket) {
                const auto index = parse_int(key);
                INGLE_ASSIGN(value, runtime_.item(value, index ? Value(*index)
                                                               : Value::text(std::string(key))));
                ++end;
            } else {
                INGLE_ASSIGN(value, runtime_.attribute(value, key));
            }
        }
        return value;
    }

    Runtime& runtime_;
    const Arguments& arguments_;
    int64_t automatic_ = 0;
};

}  // namespace

Result<Value> format_percent(Runtime& runtime, const Text& pattern, const Value& values) {
    return PercentPattern(runtime, pattern, values).run();
}

Result<Value> format_braces(Runtime& runtime, const Text& pattern, const Arguments& arguments) {
    INGLE_ASSIGN(TextPtr text, BracePattern(runtime, arguments).run(pattern, 0));
    return Value(std::move(text));
}

}  // namespace ingle::jinja
