// json.dumps: Python's separators, indents and escapes.
#include <array>
#include <cmath>
#include <cstdio>

#include "chat/jinja/compare.h"
#include "chat/jinja/print.h"
#include "chat/jinja/runtime.h"

namespace ingle::jinja {

namespace {

class JsonWriter {
  public:
    JsonWriter(Runtime& runtime, TextBuilder& out, const JsonStyle& style)
        : runtime_(runtime), out_(out), style_(style) {}

    Status value(const Value& value, uint64_t level);

  private:
    Status string(const Text& text);
    Status sequence(const Sequence& sequence, uint64_t level);
    Status dict(const Dict& dict, uint64_t level);
    Status key(const Value& key);
    Status sorted(const Dict& dict, Values& keys);

    void unit(unsigned code, bool untrusted) {
        std::array<char, 16> buffer;
        std::snprintf(buffer.data(), buffer.size(), "\\u%04x", code);
        out_.append(std::string_view(buffer.data(), 6), untrusted);
    }
    void new_line(uint64_t level) {
        if (!style_.indent) return;
        out_.append("\n");
        out_.append_repeated(*style_.indent, level);
    }

    Runtime& runtime_;
    TextBuilder& out_;
    const JsonStyle& style_;
};

std::string number_text(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
    return real_text(value);
}

Status JsonWriter::string(const Text& text) {
    static constexpr std::string_view named = "\b\f\n\r\t\"\\";
    static constexpr std::string_view names = "bfnrt\"\\";
    out_.append("\"");
    Characters characters(text);
    while (characters.next()) {
        const char32_t point = characters.point();
        const bool untrusted = characters.untrusted();
        const size_t at = point < 0x80 ? named.find(char(point)) : std::string_view::npos;
        if (at != std::string_view::npos) {
            out_.append("\\", untrusted).append(names.substr(at, 1), untrusted);
        } else if (point < 0x20 || (style_.ascii_only && point > 0x7e && point < 0x10000)) {
            unit(unsigned(point), untrusted);
        } else if (style_.ascii_only && point >= 0x10000) {
            unit(unsigned(0xd800 + ((point - 0x10000) >> 10)), untrusted);
            unit(unsigned(0xdc00 + ((point - 0x10000) & 0x3ff)), untrusted);
        } else {
            out_.append(characters.bytes(), untrusted);
        }
    }
    out_.append("\"");
    return Status();
}

Status JsonWriter::sequence(const Sequence& sequence, uint64_t level) {
    if (sequence.items.empty()) {
        out_.append("[]");
        return Status();
    }
    out_.append("[");
    for (size_t i = 0; i < sequence.items.size(); ++i) {
        if (i > 0) out_.append(style_.item_separator);
        new_line(level + 1);
        INGLE_TRY(value(sequence.items[i], level + 1));
    }
    new_line(level);
    out_.append("]");
    return Status();
}

Status JsonWriter::key(const Value& key) {
    if (const Text* text = key.text()) return string(*text);
    if (!key.number() && !key.is_none())
        return fail(Code::invalid_argument, "keys must be str, int, float, bool or None, not ",
                    type_name(key));
    out_.append("\"");
    INGLE_TRY(value(key, 0));
    out_.append("\"");
    return Status();
}

Status JsonWriter::sorted(const Dict& dict, Values& keys) {
    for (const auto& entry : dict.entries()) keys.push_back(entry.key);
    if (!style_.sort_keys) return Status();
    const Values order = keys;
    return sort_by_keys(runtime_, keys, order, false);
}

Status JsonWriter::dict(const Dict& dict, uint64_t level) {
    if (dict.size() == 0) {
        out_.append("{}");
        return Status();
    }
    Values keys;
    INGLE_TRY(sorted(dict, keys));
    out_.append("{");
    for (size_t i = 0; i < keys.size(); ++i) {
        if (i > 0) out_.append(style_.item_separator);
        new_line(level + 1);
        INGLE_TRY(key(keys[i]));
        out_.append(style_.key_separator);
        INGLE_TRY(value(*dict.find(keys[i]), level + 1));
    }
    new_line(level);
    out_.append("}");
    return Status();
}

Status JsonWriter::value(const Value& value, uint64_t level) {
    if (!runtime_.meter().spend(1)) return runtime_.meter().out_of_steps();
    if (out_.overflowed()) return runtime_.meter().out_of_memory();
    const Nesting nesting(runtime_);
    INGLE_TRY(nesting.entered());
    if (const Text* text = value.text()) return string(*text);
    if (const Dict* entries = value.dict()) return dict(*entries, level);
    const Sequence* items = value.sequence();
    if (items && (items->is_list() || items->is_tuple())) return sequence(*items, level);
    if (const auto* boolean = value.as<bool>()) {
        out_.append(*boolean ? "true" : "false");
    } else if (const auto* integer = value.as<int64_t>()) {
        out_.append(std::to_string(*integer));
    } else if (const auto* real = value.as<double>()) {
        out_.append(number_text(*real));
    } else if (value.is_none()) {
        out_.append("null");
    } else {
        return fail(Code::invalid_argument, "Object of type ", type_name(value),
                    " is not JSON serializable");
    }
    return Status();
}

}  // namespace

Status append_json(Runtime& runtime, TextBuilder& out, const Value& value, const JsonStyle& style) {
    return JsonWriter(runtime, out, style).value(value, 0);
}

}  // namespace ingle::jinja
