#include "chat/jinja/print.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "chat/jinja/runtime.h"
#include "chat/jinja/unicode.h"

namespace ingle::jinja {

namespace {

void append_escaped_point(TextBuilder& out, char32_t point, bool untrusted) {
    std::array<char, 12> buffer;
    const char* format = point < 0x100 ? "\\x%02x" : point < 0x10000 ? "\\u%04x" : "\\U%08x";
    const int size = std::snprintf(buffer.data(), buffer.size(), format, unsigned(point));
    out.append(std::string_view(buffer.data(), size_t(size)), untrusted);
}

// 'text', or "text" if it holds ' and no ".
Status append_quoted(TextBuilder& out, const Text& text) {
    const bool single = text.bytes().find('\'') != std::string_view::npos;
    const bool twice = text.bytes().find('"') != std::string_view::npos;
    const char quote = single && !twice ? '"' : '\'';
    const std::string_view mark(&quote, 1);
    if (text.markup()) out.append("Markup(");
    out.append(mark);
    Characters characters(text);
    while (characters.next()) {
        const char32_t point = characters.point();
        const bool untrusted = characters.untrusted();
        if (point == '\\' || point == char32_t(quote)) out.append("\\", untrusted);
        if (point == '\n') {
            out.append("\\n", untrusted);
        } else if (point == '\r') {
            out.append("\\r", untrusted);
        } else if (point == '\t') {
            out.append("\\t", untrusted);
        } else if (!is(point, CharacterClass::printable)) {
            append_escaped_point(out, point, untrusted);
        } else {
            out.append(characters.bytes(), untrusted);
        }
    }
    out.append(mark);
    if (text.markup()) out.append(")");
    return Status();
}

Status append_items(Runtime& runtime, TextBuilder& out, const Values& items) {
    for (size_t i = 0; i < items.size(); ++i) {
        if (i > 0) out.append(", ");
        INGLE_TRY(append_repr(runtime, out, items[i]));
    }
    return Status();
}

Status append_sequence(Runtime& runtime, TextBuilder& out, const Sequence& sequence) {
    if (sequence.flavour == Sequence::Flavour::range) {
        const auto [start, stop, step] = sequence.range;
        out.append(cat("range(", start, ", ", stop));
        if (step != 1) out.append(cat(", ", step));
        out.append(")");
        return Status();
    }
    const bool tuple = sequence.is_tuple();
    const bool view = !tuple && !sequence.is_list();
    if (view) out.append(cat(type_name(Value(SequencePtr(SequencePtr(), &sequence))), "("));
    out.append(tuple ? "(" : "[");
    INGLE_TRY(append_items(runtime, out, sequence.items));
    if (tuple && sequence.items.size() == 1) out.append(",");
    out.append(tuple ? ")" : "]");
    if (view) out.append(")");
    return Status();
}

Status append_entries(Runtime& runtime, TextBuilder& out, const Dict& dict) {
    out.append("{");
    bool first = true;
    for (const auto& entry : dict.entries()) {
        if (!first) out.append(", ");
        first = false;
        INGLE_TRY(append_repr(runtime, out, entry.key));
        out.append(": ");
        INGLE_TRY(append_repr(runtime, out, entry.value));
    }
    out.append("}");
    return Status();
}

}  // namespace

std::string real_text(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    if (value == 0) return std::signbit(value) ? "-0.0" : "0.0";
    std::array<char, 40> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::fabs(value),
                                   std::chars_format::scientific)
                         .ptr;
    const std::string_view shortest(buffer.data(), size_t(end - buffer.data()));
    const size_t mark = shortest.find('e');
    int exponent = 0;
    const size_t sign = shortest[mark + 1] == '+' ? 1 : 0;
    std::from_chars(buffer.data() + mark + 1 + sign, end, exponent);
    std::string digits(1, shortest[0]);
    if (mark > 2) digits += shortest.substr(2, mark - 2);

    std::string out = value < 0 ? "-" : "";
    const int count = int(digits.size());
    if (exponent < -4 || exponent >= 16) {
        out += digits[0];
        if (count > 1) out.append(1, '.').append(digits, 1);
        std::snprintf(buffer.data(), buffer.size(), "e%c%02d", exponent < 0 ? '-' : '+',
                      std::abs(exponent));
        return out + buffer.data();
    }
    if (exponent < 0) return out.append("0.").append(size_t(-exponent - 1), '0').append(digits);
    const size_t whole = size_t(exponent) + 1;
    if (size_t(count) <= whole)
        return out.append(digits).append(whole - size_t(count), '0').append(".0");
    return out.append(digits, 0, whole).append(1, '.').append(digits, whole);
}

Status append_str(Runtime& runtime, TextBuilder& out, const Value& value) {
    if (const Text* text = value.text()) {
        out.append(*text);
        return Status();
    }
    if (value.is_undefined()) return Status();
    return append_repr(runtime, out, value);
}

Status append_repr(Runtime& runtime, TextBuilder& out, const Value& value) {
    if (!runtime.meter().spend(1)) return runtime.meter().out_of_steps();
    if (out.overflowed()) return runtime.meter().out_of_memory();
    const Nesting nesting(runtime);
    INGLE_TRY(nesting.entered());
    if (const Text* text = value.text()) return append_quoted(out, *text);
    if (const Sequence* sequence = value.sequence())
        return append_sequence(runtime, out, *sequence);
    if (const Dict* dict = value.dict()) return append_entries(runtime, out, *dict);
    if (const auto* space = value.as<NamespacePtr>()) {
        out.append("<Namespace ");
        INGLE_TRY(append_entries(runtime, out, (*space)->attributes));
        out.append(">");
    } else if (const auto* native = value.as<NativePtr>()) {
        out.append((*native)->shown);
    } else if (const auto* boolean = value.as<bool>()) {
        out.append(*boolean ? "True" : "False");
    } else if (const auto* integer = value.as<int64_t>()) {
        out.append(std::to_string(*integer));
    } else if (const auto* real = value.as<double>()) {
        out.append(real_text(*real));
    } else if (value.is_none()) {
        out.append("None");
    } else if (value.is_undefined()) {
        out.append("Undefined");
    } else {
        out.append(cat("<", type_name(value), " object>"));
    }
    return Status();
}

Result<TextPtr> to_text(Runtime& runtime, const Value& value) {
    if (const auto* text = value.as<TextPtr>()) return *text;
    TextBuilder out(runtime.meter());
    INGLE_TRY(append_str(runtime, out, value));
    return out.finish();
}

}  // namespace ingle::jinja
