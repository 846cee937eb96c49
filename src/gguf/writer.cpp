#include "gguf/writer.h"

#include <algorithm>
#include <bit>
#include <set>

#include "base/checked.h"
#include "gguf/tensor_type.h"

namespace ingle::gguf {

static_assert(std::endian::native == std::endian::little,
              "numbers are copied into little-endian files as they are");

namespace {

template <class T>
void put(std::string& out, T number) {
    static_assert(std::is_arithmetic_v<T>);
    out.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void put(std::string& out, std::string_view text) {
    put(out, uint64_t(text.size()));
    out += text;
}

void put(std::string& out, const Array& array);

template <class List>
void put_elements(std::string& out, const List& list) {
    if constexpr (std::is_same_v<List, Strings>) {
        for (const std::string_view text : list.views()) put(out, text);
    } else if constexpr (std::is_same_v<List, std::vector<Array>>) {
        for (const Array& array : list) put(out, array);
    } else {
        for (const typename List::value_type number : list) put(out, number);
    }
}

void put(std::string& out, const Array& array) {
    put(out, uint32_t(array.element_type()));
    put(out, uint64_t(array.size()));
    std::visit([&](const auto& list) { put_elements(out, list); }, array.elements);
}

void put(std::string& out, const Value& value) {
    put(out, uint32_t(type_of(value)));
    std::visit(
        [&]<class T>(const T& held) {
            if constexpr (std::is_same_v<T, std::string>)
                put(out, std::string_view(held));
            else
                put(out, held);
        },
        value);
}

bool too_deep(const Array& array, int depth) {
    if (depth > array_depth_max) return true;
    const auto* const nested = std::get_if<std::vector<Array>>(&array.elements);
    return nested != nullptr &&
           std::any_of(nested->begin(), nested->end(),
                       [&](const Array& inner) { return too_deep(inner, depth + 1); });
}

Status check_entry(const Metadata::Entry& entry) {
    if (entry.key.empty() || entry.key.size() > key_bytes_max)
        return fail(Code::invalid_argument, "metadata key ", quoted(entry.key), ": expected 1 to ",
                    key_bytes_max, " bytes, found ", entry.key.size());
    const auto* const array = std::get_if<Array>(&entry.value);
    if (array != nullptr && too_deep(*array, 1))
        return fail(Code::invalid_argument, "metadata key ", quoted(entry.key),
                    ": arrays nested deeper than ", array_depth_max);
    return {};
}

Result<uint64_t> alignment_of(const Metadata& metadata) {
    INGLE_ASSIGN(const uint32_t alignment,
                 metadata.get_or<uint32_t>(alignment_key, alignment_default));
    if (std::has_single_bit(alignment)) return uint64_t(alignment);
    return fail(Code::invalid_argument, quoted(alignment_key), ": expected a power of two, found ",
                alignment);
}

Result<std::vector<uint64_t>> sizes_of(std::span<const TensorSpec> tensors) {
    std::set<std::string_view> names;
    std::vector<uint64_t> sizes;
    sizes.reserve(tensors.size());
    for (const TensorSpec& tensor : tensors) {
        const std::string where = cat("tensor ", quoted(tensor.name));
        if (tensor.name.empty() || tensor.name.size() > tensor_name_bytes_max)
            return fail(Code::invalid_argument, where, ": expected a name of 1 to ",
                        tensor_name_bytes_max, " bytes, found ", tensor.name.size());
        if (!names.insert(tensor.name).second)
            return fail(Code::invalid_argument, where, ": the name is there twice");
        auto bytes = tensor_bytes(tensor.type_id, tensor.dims);
        if (!bytes.ok()) return std::move(bytes).status().in(where);
        sizes.push_back(*bytes);
    }
    return sizes;
}

struct Layout {
    std::string header;
    std::vector<uint64_t> sizes;
    uint64_t alignment;
};

Result<Layout> lay_out(const Metadata& metadata, std::span<const TensorSpec> tensors,
                       uint32_t version) {
    if (version < version_read_min || version > version_written)
        return fail(Code::invalid_argument, "expected GGUF version ", version_read_min, " to ",
                    version_written, ", found ", version);
    INGLE_ASSIGN(const uint64_t alignment, alignment_of(metadata));
    INGLE_ASSIGN(std::vector<uint64_t> sizes, sizes_of(tensors));

    std::string out(magic);
    put(out, version);
    put(out, uint64_t(tensors.size()));
    put(out, uint64_t(metadata.entries().size()));
    for (const Metadata::Entry& entry : metadata.entries()) {
        INGLE_TRY(check_entry(entry));
        put(out, std::string_view(entry.key));
        put(out, entry.value);
    }
    uint64_t offset = 0;
    for (size_t i = 0; i < tensors.size(); ++i) {
        put(out, std::string_view(tensors[i].name));
        put(out, uint32_t(tensors[i].dims.size()));
        for (const uint64_t dim : tensors[i].dims) put(out, dim);
        put(out, tensors[i].type_id);
        put(out, offset);
        const auto end = checked_add(offset, sizes[i]);
        const auto next = end ? checked_align(*end, alignment) : std::nullopt;
        if (!next)
            return fail(Code::invalid_argument, "tensor ", quoted(tensors[i].name),
                        ": the file would pass 2^64 bytes");
        offset = *next;
    }
    if (!tensors.empty()) out.resize(size_t((out.size() + alignment - 1) & ~(alignment - 1)));
    return Layout{std::move(out), std::move(sizes), alignment};
}

}  // namespace

Result<std::string> header_bytes(const Metadata& metadata, std::span<const TensorSpec> tensors,
                                 uint32_t version) {
    INGLE_ASSIGN(Layout layout, lay_out(metadata, tensors, version));
    return std::move(layout.header);
}

Result<Writer> Writer::create(const std::filesystem::path& path, const Metadata& metadata,
                              std::span<const TensorSpec> tensors, uint32_t version) {
    INGLE_ASSIGN(const Layout layout, lay_out(metadata, tensors, version));
    std::vector<Part> parts;
    for (size_t i = 0; i < tensors.size(); ++i) parts.push_back({tensors[i].name, layout.sizes[i]});
    INGLE_ASSIGN(AtomicFile file, AtomicFile::create(path));
    INGLE_TRY(file.append(std::as_bytes(std::span(layout.header))));
    return Writer(std::move(file), std::move(parts), layout.alignment);
}

Status Writer::append(std::span<const std::byte> bytes) {
    if (bytes.empty()) return {};
    if (current_ == parts_.size())
        return fail(Code::invalid_argument, bytes.size(), " bytes more than all tensors hold");
    const Part& part = parts_[current_];
    if (bytes.size() > part.bytes - written_)
        return fail(Code::invalid_argument, "tensor ", quoted(part.name), ": expected at most ",
                    part.bytes - written_, " bytes more, found ", bytes.size());
    INGLE_TRY(file_.append(bytes));
    written_ += bytes.size();
    if (written_ < part.bytes) return {};

    const std::string padding(size_t((~part.bytes + 1) & (alignment_ - 1)), '\0');
    INGLE_TRY(file_.append(std::as_bytes(std::span(padding))));
    ++current_;
    written_ = 0;
    return {};
}

Status Writer::finish() {
    if (current_ != parts_.size())
        return fail(Code::invalid_argument, "tensor ", quoted(parts_[current_].name), ": expected ",
                    parts_[current_].bytes, " bytes, found ", written_);
    return file_.commit();
}

}  // namespace ingle::gguf
