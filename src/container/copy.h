// Writes what one GGUF file holds into another, tensor by tensor with ordinary reads, never holding more than a few
// mebibytes. The new file takes its name only when it is whole and on the disk.
#pragma once

#include <functional>
#include <vector>

#include "gguf/reader.h"
#include "gguf/writer.h"

namespace ingle::container {

// Told about bytes of tensors done of all; a failure stops the work.
using Progress = std::function<Status(uint64_t done, uint64_t total)>;

std::vector<gguf::TensorSpec> specs_of(std::span<const gguf::TensorInfo> tensors);

// Calls sink(bytes) with a tensor's bytes, piece by piece.
Status for_each_piece(const gguf::File& file, const gguf::TensorInfo& tensor,
                      const std::function<Status(std::span<const std::byte>)>& sink);

// All tensors of `file` (of a split set: of all parts) under other metadata. `out` may be the file itself.
Status write_copy(const gguf::File& file, const gguf::Metadata& metadata,
                  const std::filesystem::path& out, const Progress& progress);

}  // namespace ingle::container
