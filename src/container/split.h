// A model in several files, as llama-gguf-split makes them: PREFIX-00001-of-0000N.gguf, the metadata in the first.
#pragma once

#include "container/copy.h"

namespace ingle::container {

struct SplitOptions {
    uint64_t tensors_max = 128;  // per part; 0: no limit
    uint64_t bytes_max = 0;      // tensor data per part; 0: no limit. A larger tensor is alone in its part
    bool bare_first = false;     // the first part holds metadata only
};

struct SplitPart {
    size_t first = 0;  // tensors [first, first + count)
    size_t count = 0;
    uint64_t bytes = 0;
};

Result<std::vector<SplitPart>> plan_split(const gguf::File& file, const SplitOptions& options);

// Writes the parts; none takes its name before all are whole. Returns their names.
Result<std::vector<std::filesystem::path>> write_split(const gguf::File& file,
                                                       std::span<const SplitPart> parts,
                                                       const std::filesystem::path& prefix,
                                                       const Progress& progress);

// The metadata of a whole file: without the keys of a split set.
gguf::Metadata without_split_keys(const gguf::File& file);

}  // namespace ingle::container
