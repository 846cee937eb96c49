#include "container/parse_value.h"

#include <algorithm>
#include <array>
#include <limits>

namespace ingle::container {

namespace {

using gguf::ValueType;

// Calls f with a value of the C++ type that holds one element of this type; not for arrays.
template <class F>
auto with_type(ValueType type, F&& f) {
    switch (type) {
        case ValueType::u8: return f(uint8_t());
        case ValueType::i8: return f(int8_t());
        case ValueType::u16: return f(uint16_t());
        case ValueType::i16: return f(int16_t());
        case ValueType::u32: return f(uint32_t());
        case ValueType::i32: return f(int32_t());
        case ValueType::f32: return f(float());
        case ValueType::boolean: return f(bool());
        case ValueType::u64: return f(uint64_t());
        case ValueType::i64: return f(int64_t());
        case ValueType::f64: return f(double());
        case ValueType::string:
        case ValueType::array: break;
    }
    return f(std::string());
}

template <class T>
std::optional<T> number(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

template <class T>
std::optional<T> element(std::string_view text) {
    if constexpr (std::is_same_v<T, std::string>) {
        return std::string(text);
    } else if constexpr (std::is_same_v<T, bool>) {
        if (text == "true" || text == "1") return true;
        if (text == "false" || text == "0") return false;
        return std::nullopt;
    } else {
        return number<T>(text);
    }
}

template <class T>
Status wrong(std::string_view text, ValueType type) {
    return fail(Code::invalid_argument, "expected a value of type ", gguf::name_of(type), ", found ",
                quoted(text));
}

template <class T>
Result<gguf::Value> parse_list(std::string_view text, ValueType type) {
    std::vector<T> elements;
    if (!text.empty())
        for (const std::string_view part : split(text, ',')) {
            const auto parsed = element<T>(std::is_same_v<T, std::string> ? part : trim(part));
            if (!parsed) return wrong<T>(part, type);
            elements.push_back(*parsed);
        }
    if constexpr (std::is_same_v<T, std::string>)
        return gguf::Value(gguf::Array{gguf::Strings::copy_of(std::span<const std::string>(elements))});
    else
        return gguf::Value(gguf::Array{std::move(elements)});
}

}  // namespace

ValueKind kind_of(const gguf::Value& value) {
    if (const auto* const array = std::get_if<gguf::Array>(&value)) return {array->element_type(), true};
    return {gguf::type_of(value), false};
}

std::optional<ValueKind> parse_kind(std::string_view text) {
    ValueKind kind;
    if (text.ends_with("[]")) {
        kind.list = true;
        text.remove_suffix(2);
    }
    struct Name {
        std::string_view name;
        ValueType type;
    };
    static constexpr Name others[] = {
        {"str", ValueType::string}, {"int", ValueType::i64}, {"float", ValueType::f64},
        {"bool", ValueType::boolean}};
    for (const Name& other : others)
        if (text == other.name) return ValueKind{other.type, kind.list};
    for (uint32_t id = 0; id <= uint32_t(ValueType::f64); ++id) {
        if (ValueType(id) == ValueType::array || text != gguf::name_of(ValueType(id))) continue;
        kind.type = ValueType(id);
        return kind;
    }
    return std::nullopt;
}

Result<gguf::Value> parse_value(std::string_view text, ValueKind kind) {
    if (kind.type == ValueType::array)
        return fail(Code::unsupported, "lists of lists cannot be given as text");
    return with_type(kind.type, [&]<class T>(T) -> Result<gguf::Value> {
        if (kind.list) return parse_list<T>(text, kind.type);
        auto parsed = element<T>(text);
        if (!parsed) return wrong<T>(text, kind.type);
        return gguf::Value(std::move(*parsed));
    });
}

Result<Assignment> parse_assignment(std::string_view text,
                                    const std::function<const gguf::Value*(std::string_view)>& find) {
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0)
        return fail(Code::invalid_argument, "expected KEY=TYPE:VALUE, found ", quoted(text));
    Assignment out;
    out.key = text.substr(0, equals);
    std::string_view content = text.substr(equals + 1);
    const size_t colon = content.find(':');
    std::optional<ValueKind> kind;
    if (colon != std::string_view::npos) kind = parse_kind(content.substr(0, colon));
    if (kind) {
        content.remove_prefix(colon + 1);
    } else if (const gguf::Value* const old = find(out.key)) {
        kind = kind_of(*old);
    } else {
        return fail(Code::invalid_argument, quoted(out.key), " is a new key: expected its type, as in ",
                    out.key, "=u32:7 or ", out.key, "=str:text, found ", quoted(content));
    }
    auto value = parse_value(content, *kind);
    if (!value.ok()) return std::move(value).status().in(out.key);
    out.value = std::move(*value);
    return out;
}

namespace {

std::string lines_of(const gguf::Array& array) {
    std::string out;
    std::visit(
        [&]<class List>(const List& list) {
            if constexpr (std::is_same_v<List, gguf::Strings>)
                for (const std::string_view text : list.views()) out += cat(text, "\n");
            else if constexpr (std::is_same_v<List, std::vector<gguf::Array>>)
                for (const gguf::Array& inner : list) out += lines_of(inner);
            else
                for (const auto& value : list) {
                    if constexpr (std::is_same_v<List, std::vector<float>>)
                        out += cat(double(value), "\n");
                    else
                        out += cat(typename List::value_type(value), "\n");
                }
        },
        array.elements);
    return out;
}

}  // namespace

std::string text_of(const gguf::Value& value) {
    return std::visit(
        []<class T>(const T& held) -> std::string {
            if constexpr (std::is_same_v<T, gguf::Array>) return lines_of(held);
            else if constexpr (std::is_same_v<T, float>) return cat(double(held), "\n");
            else return cat(held, "\n");
        },
        value);
}

}  // namespace ingle::container
