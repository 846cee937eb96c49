#include "gguf/reader.h"

#include <cstring>

namespace ingle::gguf {

namespace {

std::string named(const std::filesystem::path& path) {
    return quoted(path.string(), 4096);
}

// The part's metadata says how many parts its set has; a file without the key is whole.
Result<uint64_t> part_count(const Metadata& metadata) {
    return metadata.get_or<uint64_t>(split_count_key, 1);
}

// "PREFIX-00002-of-00003.gguf" -> "PREFIX", if the name ends as it must for a set of `count` parts.
Result<std::filesystem::path> set_prefix(const std::filesystem::path& path, uint64_t part,
                                         uint64_t count) {
    const std::string name = path.filename().string();
    const std::string ending = part_path("", part, count).string();
    if (name.size() > ending.size() && name.ends_with(ending))
        return path.parent_path() / name.substr(0, name.size() - ending.size());
    return fail(Code::invalid_argument, "the file is part ", part + 1, " of ", count,
                " of a split model: expected a name ending in ", quoted(ending), ", found ",
                quoted(name));
}

}  // namespace

std::filesystem::path part_path(const std::filesystem::path& prefix, uint64_t part,
                                uint64_t count) {
    const auto five_digits = [](uint64_t number) {
        const std::string digits = std::to_string(number);
        return std::string(digits.size() < 5 ? 5 - digits.size() : 0, '0') + digits;
    };
    std::filesystem::path path = prefix;
    path += cat("-", five_digits(part + 1), "-of-", five_digits(count), ".gguf");
    return path;
}

Result<File> File::open(const std::filesystem::path& path, Splits splits) {
    INGLE_ASSIGN(Part part, open_part(path));
    const auto where = [&](Status status) { return std::move(status).in(named(path)); };
    if (splits == Splits::ignore) return assemble(std::move(part));
    const auto count = part_count(part.header.metadata);
    if (!count.ok()) return where(count.status());
    if (*count <= 1) return assemble(std::move(part));

    const auto number = part.header.metadata.get<uint64_t>(split_number_key);
    if (!number.ok()) return where(number.status());
    if (*number >= *count)
        return where(fail(Code::corrupt, quoted(split_number_key), ": expected 0 to ", *count - 1,
                          ", found ", *number));
    auto prefix = set_prefix(path, *number, *count);
    if (!prefix.ok()) return where(prefix.status());
    return open_set(*prefix, *count);
}

Result<File> File::parse(std::span<const std::byte> bytes) {
    INGLE_ASSIGN(Header header, read_header(bytes));
    return assemble(Part{std::move(header), Shard{nullptr, bytes}});
}

Result<File::Part> File::open_part(const std::filesystem::path& path) {
    INGLE_ASSIGN(MappedFile mapped, MappedFile::open(path));
    const auto file = std::make_shared<const MappedFile>(std::move(mapped));
    auto header = read_header(file->bytes(), file);
    INGLE_TRY(file->intact());
    if (!header.ok()) return std::move(header).status().in(named(path));
    return Part{std::move(*header), Shard{file, file->bytes()}};
}

Result<File> File::assemble(Part part) {
    File file;
    file.version_ = part.header.version;
    file.alignment_ = part.header.alignment;
    file.metadata_ = std::move(part.header.metadata);
    INGLE_TRY(file.append(std::move(part)));
    return file;
}

Result<File> File::open_set(const std::filesystem::path& prefix, uint64_t count) {
    File file;
    for (uint64_t i = 0; i < count; ++i) {
        const auto path = part_path(prefix, i, count);
        const auto where = [&](Status status) { return std::move(status).in(named(path)); };
        INGLE_ASSIGN(Part part, open_part(path));
        const auto number = part.header.metadata.get<uint64_t>(split_number_key);
        const auto declared = part_count(part.header.metadata);
        if (!number.ok()) return where(number.status());
        if (!declared.ok()) return where(declared.status());
        if (*number != i || *declared != count)
            return where(fail(Code::corrupt, "expected part ", i + 1, " of ", count,
                              ", found part ", *number + 1, " of ", *declared));
        if (i == 0) {
            INGLE_ASSIGN(file, assemble(std::move(part)));
        } else {
            INGLE_TRY(where(file.append(std::move(part))));
        }
    }
    const auto expected = file.get<uint64_t>(split_tensors_key);
    if (!expected.ok()) return Status(expected.status()).in(named(prefix));
    if (*expected != file.tensors_.size())
        return fail(Code::corrupt, named(prefix), ": ", quoted(split_tensors_key), " promises ",
                    *expected, " tensors, the ", count, " parts hold ", file.tensors_.size());
    return file;
}

Status File::append(Part part) {
    const auto number = uint32_t(shards_.size());
    shards_.push_back(std::move(part.shard));
    for (TensorInfo& tensor : part.header.tensors) {
        tensor.shard = number;
        if (!tensor_index_.emplace(tensor.name, tensors_.size()).second)
            return fail(Code::corrupt, "there are two tensors of the name ", quoted(tensor.name));
        tensors_.push_back(std::move(tensor));
    }
    return {};
}

const TensorInfo* File::find_tensor(std::string_view name) const {
    const auto found = tensor_index_.find(name);
    return found == tensor_index_.end() ? nullptr : &tensors_[found->second];
}

std::span<const std::byte> File::bytes(const TensorInfo& tensor) const {
    return shards_[tensor.shard].bytes.subspan(size_t(tensor.offset), size_t(tensor.bytes));
}

Status File::read(const TensorInfo& tensor, uint64_t offset, std::span<std::byte> out) const {
    if (offset > tensor.bytes || out.size() > tensor.bytes - offset)
        return fail(Code::invalid_argument, "tensor ", quoted(tensor.name),
                    ": expected a range in ", tensor.bytes, " bytes, found ", offset, " + ",
                    out.size());
    if (out.empty()) return {};
    if (const MappedFile* const file = shard(tensor.shard))
        return file->read(tensor.offset + offset, out).in(cat("tensor ", quoted(tensor.name)));
    std::memcpy(out.data(), bytes(tensor).data() + offset, out.size());
    return {};
}

Status File::intact() const {
    for (const Shard& part : shards_)
        if (part.file != nullptr) INGLE_TRY(part.file->intact());
    return {};
}

void File::drop_pages(const TensorInfo& tensor) const {
    if (const MappedFile* const file = shard(tensor.shard))
        file->drop_pages(tensor.offset, tensor.bytes);
}

uint64_t File::total_bytes() const {
    uint64_t total = 0;
    for (const Shard& part : shards_) total += part.bytes.size();
    return total;
}

}  // namespace ingle::gguf
