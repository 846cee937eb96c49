#include "container/copy.h"

#include <algorithm>

namespace ingle::container {

namespace {

constexpr uint64_t piece_bytes = 4 << 20;

}  // namespace

std::vector<gguf::TensorSpec> specs_of(std::span<const gguf::TensorInfo> tensors) {
    std::vector<gguf::TensorSpec> specs;
    for (const gguf::TensorInfo& tensor : tensors) {
        const auto shape = tensor.shape();
        specs.push_back({tensor.name, tensor.type_id, {shape.begin(), shape.end()}});
    }
    return specs;
}

Status for_each_piece(const gguf::File& file, const gguf::TensorInfo& tensor,
                      const std::function<Status(std::span<const std::byte>)>& sink) {
    std::vector<std::byte> piece(size_t(std::min(tensor.bytes, piece_bytes)));
    for (uint64_t offset = 0; offset < tensor.bytes; offset += piece.size()) {
        const auto part =
            std::span(piece).first(size_t(std::min<uint64_t>(piece.size(), tensor.bytes - offset)));
        INGLE_TRY(file.read(tensor, offset, part));
        INGLE_TRY(sink(part));
    }
    return {};
}

Status write_copy(const gguf::File& file, const gguf::Metadata& metadata,
                  const std::filesystem::path& out, const Progress& progress) {
    const auto tensors = file.tensors();
    uint64_t total = 0, done = 0;
    for (const gguf::TensorInfo& tensor : tensors) total += tensor.bytes;
    INGLE_ASSIGN(gguf::Writer writer, gguf::Writer::create(out, metadata, specs_of(tensors)));
    const auto write = [&](std::span<const std::byte> bytes) -> Status {
        INGLE_TRY(writer.append(bytes));
        done += bytes.size();
        return progress(done, total);
    };
    for (const gguf::TensorInfo& tensor : tensors) INGLE_TRY(for_each_piece(file, tensor, write));
    return writer.finish();
}

}  // namespace ingle::container
