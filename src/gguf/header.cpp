// Reads and checks what precedes the tensor data.
#include <bit>

#include "base/checked.h"
#include "gguf/cursor.h"
#include "gguf/read_value.h"
#include "gguf/reader.h"
#include "gguf/tensor_type.h"

namespace ingle::gguf {

namespace {

constexpr uint64_t entry_bytes_min = 8 + 1 + 4 + 1;       // key, type, smallest value
constexpr uint64_t tensor_bytes_min = 8 + 1 + 4 + 4 + 8;  // name, rank 0, type, offset

Status read_version(Cursor& cursor, uint32_t& version) {
    std::string_view found;
    if (!cursor.take(found, magic.size()))
        return cursor.truncated(magic.size(), "the magic 'GGUF'");
    if (found != magic)
        return fail(Code::corrupt, "not a GGUF file: expected 'GGUF' at byte 0, found ",
                    quoted(found));
    INGLE_TRY(cursor.number(version, "the version"));
    // A big-endian 2 or 3 reads as 0x02000000 or 0x03000000.
    if (version != 0 && (version & 0xffffu) == 0)
        return fail(Code::unsupported, "this is a big-endian GGUF file (version field ", version,
                    " at byte 4); only little-endian files are supported: convert the file");
    if (version == 1)
        return fail(
            Code::unsupported,
            "GGUF version 1 (of August 2023) is no longer read, expected 2 or 3: convert the "
            "model again from its source");
    if (version < version_read_min || version > version_written)
        return fail(Code::unsupported, "expected GGUF version ", version_read_min, " to ",
                    version_written, ", found ", version, " at byte 4");
    return {};
}

Status read_entry(Cursor& cursor, const std::shared_ptr<const void>& owner, Metadata& metadata) {
    const uint64_t start = cursor.offset();
    std::string_view key;
    INGLE_TRY(cursor.string(key, key_bytes_max, "a key"));
    if (key.empty())
        return fail(Code::corrupt, "expected a key of 1 to ", key_bytes_max,
                    " bytes, found an empty one at byte ", start);
    Value value;
    INGLE_TRY(read_value(cursor, owner, value).in(quoted(key)));
    if (!metadata.add(std::string(key), std::move(value)))
        return fail(Code::corrupt, quoted(key), " at byte ", start, " stands in the file twice");
    return {};
}

Status read_tensor(Cursor& cursor, TensorInfo& tensor) {
    const uint64_t start = cursor.offset();
    std::string_view name;
    INGLE_TRY(cursor.string(name, tensor_name_bytes_max, "the name"));
    if (name.empty())
        return fail(Code::corrupt, "expected a name of 1 to ", tensor_name_bytes_max,
                    " bytes, found an empty one at byte ", start);
    tensor.name = name;
    const auto where = [&](Status status) { return std::move(status).in(quoted(name)); };
    INGLE_TRY(where(cursor.number(tensor.rank, "the number of dimensions")));
    if (tensor.rank > rank_max)
        return where(fail(Code::corrupt, "expected at most ", rank_max, " dimensions, found ",
                          tensor.rank, " at byte ", cursor.offset() - sizeof(tensor.rank)));
    for (uint32_t i = 0; i < tensor.rank; ++i)
        INGLE_TRY(where(cursor.number(tensor.dims[i], "a dimension")));
    INGLE_TRY(where(cursor.number(tensor.type_id, "the type")));
    INGLE_TRY(where(cursor.number(tensor.offset, "the offset")));
    auto bytes = tensor_bytes(tensor.type_id, tensor.shape());
    if (!bytes.ok()) return where(std::move(bytes).status());
    tensor.bytes = *bytes;
    return {};
}

Status read_alignment(Header& header) {
    header.alignment = alignment_default;
    const Value* const value = header.metadata.find(alignment_key);
    if (value == nullptr) return {};
    const auto alignment = as<uint32_t>(*value);
    if (!alignment.ok() || !std::has_single_bit(*alignment))
        return fail(Code::corrupt, quoted(alignment_key), ": expected a power of two, found ",
                    describe(*value));
    header.alignment = *alignment;
    return {};
}

// A fork writes Q2_0 in blocks of 128 weights, 34 bytes each, under the id of the type of 64
// weights.
std::string_view fork_hint(const Header& header, const TensorInfo* before, uint64_t found) {
    constexpr const TensorType* type = find_tensor_type("Q2_0");
    if (before == nullptr || before->type_id != type->id) return "";
    const uint64_t begin = before->offset - header.data_offset;
    const uint64_t bytes = before->bytes / (2 * type->block_bytes) * 34;
    const bool is_fork = checked_align(begin + bytes, header.alignment) == found;
    return is_fork ? "; the tensor before is the Q2_0 of a fork, with 128 weights a block: "
                     "quantize the model again"
                   : "";
}

// Offsets must be the running sum of the padded sizes, so that tensors can neither overlap nor
// leave gaps; on return they count from the beginning of the file, all inside it.
Status place_tensors(Header& header, uint64_t file_bytes) {
    uint64_t expected = 0;
    const TensorInfo* before = nullptr;
    for (TensorInfo& tensor : header.tensors) {
        const auto where = [&](Status status) {
            return std::move(status).in(cat("tensor ", quoted(tensor.name)));
        };
        if (tensor.offset != expected)
            return where(fail(Code::corrupt, "expected offset ", expected,
                              " (the end of the tensor before, aligned to ", header.alignment,
                              "), found ", tensor.offset,
                              fork_hint(header, before, tensor.offset)));
        const auto begin = checked_add(header.data_offset, tensor.offset);
        const auto end = begin ? checked_add(*begin, tensor.bytes) : std::nullopt;
        if (!end || *end > file_bytes)
            return where(fail(Code::corrupt, "expected ", tensor.bytes, " bytes at byte ",
                              header.data_offset, " + ", tensor.offset, ", the file ends at byte ",
                              file_bytes, ": it is truncated or still being written"));
        // No overflow: both are within the file, up to one alignment.
        expected = *checked_align(tensor.offset + tensor.bytes, header.alignment);
        tensor.offset = *begin;
        before = &tensor;
    }
    return {};
}

}  // namespace

Result<Header> read_header(std::span<const std::byte> file, std::shared_ptr<const void> owner) {
    Cursor cursor(file);
    Header header;
    uint64_t tensor_count = 0;
    uint64_t entry_count = 0;
    INGLE_TRY(read_version(cursor, header.version));
    INGLE_TRY(cursor.number(tensor_count, "the number of tensors"));
    INGLE_TRY(cursor.number(entry_count, "the number of metadata keys"));

    INGLE_TRY(cursor.fits(entry_count, entry_bytes_min, "metadata keys"));
    for (uint64_t i = 0; i < entry_count; ++i)
        INGLE_TRY(read_entry(cursor, owner, header.metadata).in(cat("metadata key ", i)));
    INGLE_TRY(read_alignment(header));

    INGLE_TRY(cursor.fits(tensor_count, tensor_bytes_min, "tensors"));
    header.tensors.resize(size_t(tensor_count));
    for (size_t i = 0; i < header.tensors.size(); ++i)
        INGLE_TRY(read_tensor(cursor, header.tensors[i]).in(cat("tensor ", i)));
    header.bytes = cursor.offset();
    const auto data_offset = checked_align(header.bytes, header.alignment);
    if (!data_offset) return fail(Code::corrupt, "the header is too long to align");
    header.data_offset = *data_offset;
    INGLE_TRY(place_tensors(header, file.size()));
    return header;
}

}  // namespace ingle::gguf
