#include "container/split.h"

#include <algorithm>

namespace ingle::container {

namespace {

constexpr uint64_t parts_max = 65535;  // their number is a u16

gguf::Metadata metadata_of_part(const gguf::File& file, size_t part, size_t count) {
    gguf::Metadata metadata;
    if (part == 0) metadata = without_split_keys(file);
    // The types are llama.cpp's.
    metadata.set(std::string(gguf::split_number_key), uint16_t(part));
    metadata.set(std::string(gguf::split_tensors_key), int32_t(file.tensors().size()));
    metadata.set(std::string(gguf::split_count_key), uint16_t(count));
    if (part > 0 && file.alignment() != gguf::alignment_default)
        metadata.set(std::string(gguf::alignment_key), uint32_t(file.alignment()));
    return metadata;
}

}  // namespace

gguf::Metadata without_split_keys(const gguf::File& file) {
    gguf::Metadata metadata = file.metadata();
    for (const std::string_view key :
         {gguf::split_number_key, gguf::split_tensors_key, gguf::split_count_key})
        (void)metadata.remove(key);
    return metadata;
}

Result<std::vector<SplitPart>> plan_split(const gguf::File& file, const SplitOptions& options) {
    if (file.tensors().empty())
        return fail(Code::invalid_argument, "the file has no tensors to split");
    std::vector<SplitPart> parts(options.bare_first ? 2 : 1);
    for (size_t i = 0; i < file.tensors().size(); ++i) {
        const uint64_t bytes = file.tensors()[i].bytes;
        const SplitPart& last = parts.back();
        const bool full = (options.tensors_max > 0 && last.count == options.tensors_max) ||
                          (options.bytes_max > 0 && bytes > options.bytes_max - std::min(options.bytes_max, last.bytes));
        if (full && last.count > 0) parts.push_back({.first = i});
        parts.back().count += 1;
        parts.back().bytes += bytes;
    }
    if (parts.size() > parts_max)
        return fail(Code::invalid_argument, "expected at most ", parts_max, " parts, found ",
                    parts.size(), "; raise the limits");
    return parts;
}

Result<std::vector<std::filesystem::path>> write_split(const gguf::File& file,
                                                       std::span<const SplitPart> parts,
                                                       const std::filesystem::path& prefix,
                                                       const Progress& progress) {
    uint64_t total = 0, done = 0;
    for (const SplitPart& part : parts) total += part.bytes;
    std::vector<std::filesystem::path> paths;
    std::vector<gguf::Writer> writers;
    for (size_t p = 0; p < parts.size(); ++p) {
        const auto tensors = file.tensors().subspan(parts[p].first, parts[p].count);
        paths.push_back(gguf::part_path(prefix, p, parts.size()));
        INGLE_ASSIGN(gguf::Writer writer,
                     gguf::Writer::create(paths.back(), metadata_of_part(file, p, parts.size()),
                                          specs_of(tensors)));
        const auto write = [&](std::span<const std::byte> bytes) -> Status {
            INGLE_TRY(writer.append(bytes));
            done += bytes.size();
            return progress(done, total);
        };
        for (const gguf::TensorInfo& tensor : tensors) INGLE_TRY(for_each_piece(file, tensor, write));
        writers.push_back(std::move(writer));
    }
    for (gguf::Writer& writer : writers) INGLE_TRY(writer.finish());
    return paths;
}

}  // namespace ingle::container
