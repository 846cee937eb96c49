// Writes GGUF files piece by piece: the header first, then each tensor's data in order, never
// holding more than the caller hands over. The file appears under its name only when it is whole
// and on the disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/status.h"
#include "gguf/format.h"
#include "gguf/metadata.h"

namespace ingle::gguf {

struct TensorSpec {
    std::string name;
    uint32_t type_id = 0;
    std::vector<uint64_t> dims;  // fastest first
};

// The bytes before the tensor data, padded to the alignment if there are tensors. Alignment is
// "general.alignment" of the metadata, or 32. Refuses what the reader would refuse.
Result<std::string> header_bytes(const Metadata& metadata, std::span<const TensorSpec> tensors,
                                 uint32_t version = version_written);

class Writer {
  public:
    static Result<Writer> create(const std::filesystem::path& path, const Metadata& metadata,
                                 std::span<const TensorSpec> tensors,
                                 uint32_t version = version_written);

    // The next bytes of the current tensor; a tensor may come in any number of pieces, a piece
    // belongs to one tensor. Padding is written where it belongs.
    Status append(std::span<const std::byte> bytes);
    // Flushes to the disk and gives the file its name. Fails if a tensor is not complete. A writer
    // that is destroyed before this leaves nothing behind.
    Status finish();

  private:
    struct Part {
        std::string name;
        uint64_t bytes;
    };
    Writer(AtomicFile file, std::vector<Part> parts, uint64_t alignment)
        : file_(std::move(file)), parts_(std::move(parts)), alignment_(alignment) {}

    AtomicFile file_;
    std::vector<Part> parts_;
    uint64_t alignment_;
    size_t current_ = 0;    // the tensor being written
    uint64_t written_ = 0;  // bytes of it
};

}  // namespace ingle::gguf
