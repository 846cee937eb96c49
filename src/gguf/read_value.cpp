#include "gguf/read_value.h"

#include <array>
#include <utility>

#include "gguf/format.h"

namespace ingle::gguf {

namespace {

constexpr size_t type_count = std::variant_size_v<Value>;
constexpr uint64_t string_bytes_min = 8;  // its length
constexpr uint64_t array_bytes_min = 12;  // element type and length

struct Source {
    Cursor& cursor;
    const std::shared_ptr<const void>& owner;
};

Status read_array(Source source, int depth, Array& out);

Status check_bool(uint8_t byte, uint64_t offset) {
    if (byte <= 1) return {};
    return fail(Code::corrupt, "expected a bool of 0 or 1, found ", byte, " at byte ", offset);
}

template <class T>
Status read_list(Source source, uint64_t count, int, std::vector<T>& out) {
    INGLE_TRY(source.cursor.fits(count, sizeof(T), "array elements"));
    out.resize(size_t(count));
    return source.cursor.numbers(std::span(out), "an array");
}

Status read_list(Source source, uint64_t count, int, std::vector<bool>& out) {
    INGLE_TRY(source.cursor.fits(count, 1, "array elements"));
    out.resize(size_t(count));
    for (uint64_t i = 0; i < count; ++i) {
        uint8_t byte = 0;
        INGLE_TRY(source.cursor.number(byte, "an array element"));
        INGLE_TRY(check_bool(byte, source.cursor.offset() - 1));
        out[i] = byte == 1;
    }
    return {};
}

Status read_list(Source source, uint64_t count, int, Strings& out) {
    INGLE_TRY(source.cursor.fits(count, string_bytes_min, "array elements"));
    std::vector<std::string_view> views(static_cast<size_t>(count));
    for (std::string_view& view : views)
        INGLE_TRY(source.cursor.string(view, string_bytes_max, "a string of an array"));
    out = Strings(std::move(views), source.owner);
    return {};
}

Status read_list(Source source, uint64_t count, int depth, std::vector<Array>& out) {
    INGLE_TRY(source.cursor.fits(count, array_bytes_min, "array elements"));
    for (uint64_t i = 0; i < count; ++i) {
        out.emplace_back();
        INGLE_TRY(read_array(source, depth + 1, out.back()));
    }
    return {};
}

template <size_t Type>
Status read_elements(Source source, uint64_t count, int depth, Array& out) {
    return read_list(source, count, depth, out.elements.emplace<Type>());
}

template <size_t Type>
Status read_scalar(Source source, Value& out) {
    auto& value = out.emplace<Type>();
    using T = std::remove_reference_t<decltype(value)>;
    if constexpr (std::is_same_v<T, std::string>) {
        std::string_view text;
        INGLE_TRY(source.cursor.string(text, string_bytes_max, "a string"));
        value = text;
    } else if constexpr (std::is_same_v<T, Array>) {
        INGLE_TRY(read_array(source, 1, value));
    } else if constexpr (std::is_same_v<T, bool>) {
        uint8_t byte = 0;
        INGLE_TRY(source.cursor.number(byte, "a bool"));
        INGLE_TRY(check_bool(byte, source.cursor.offset() - 1));
        value = byte == 1;
    } else {
        INGLE_TRY(source.cursor.number(value, "a number"));
    }
    return {};
}

using ReadElements = Status (*)(Source, uint64_t, int, Array&);
using ReadScalar = Status (*)(Source, Value&);

// Indexed by type id.
template <size_t... Types>
constexpr std::array<ReadElements, type_count> element_readers(std::index_sequence<Types...>) {
    return {&read_elements<Types>...};
}
template <size_t... Types>
constexpr std::array<ReadScalar, type_count> scalar_readers(std::index_sequence<Types...>) {
    return {&read_scalar<Types>...};
}

Status read_type(Cursor& cursor, uint32_t& type) {
    INGLE_TRY(cursor.number(type, "a value type"));
    if (type < type_count) return {};
    return fail(Code::corrupt, "expected a value type of 0 to ", type_count - 1, ", found ", type,
                " at byte ", cursor.offset() - sizeof(type));
}

Status read_array(Source source, int depth, Array& out) {
    static constexpr auto readers = element_readers(std::make_index_sequence<type_count>());
    if (depth > array_depth_max)
        return fail(Code::limit, "arrays nested deeper than ", array_depth_max, " at byte ",
                    source.cursor.offset());
    uint32_t type = 0;
    uint64_t count = 0;
    INGLE_TRY(read_type(source.cursor, type));
    INGLE_TRY(source.cursor.number(count, "an array length"));
    if (count > array_length_max)
        return fail(Code::corrupt, "expected an array of at most ", array_length_max,
                    " elements, found ", count, " at byte ",
                    source.cursor.offset() - sizeof(count));
    return readers[type](source, count, depth, out);
}

}  // namespace

Status read_value(Cursor& cursor, const std::shared_ptr<const void>& owner, Value& out) {
    static constexpr auto readers = scalar_readers(std::make_index_sequence<type_count>());
    uint32_t type = 0;
    INGLE_TRY(read_type(cursor, type));
    return readers[type](Source{cursor, owner}, out);
}

}  // namespace ingle::gguf
