// A model file described for people and for programs: header, metadata, tensors, memory.
#pragma once

#include <string>

#include "gguf/reader.h"

namespace ingle::cli {

std::string text_report(const gguf::File& file, const std::string& path);
// {"file", "version", "alignment", "parts", "bytes", "architecture", "parameters", "bits_per_weight",
//  "metadata": {KEY: VALUE}, "tensors": [{"name", "type", "shape", "offset", "bytes"}], "memory": {...}}
std::string json_report(const gguf::File& file, const std::string& path);

// What running the model takes besides its weights, for a context of that many tokens.
struct MemoryNeed {
    uint64_t weight_bytes = 0;
    uint64_t kv_bytes_per_token = 0;  // 16-bit cache; 0 if the file does not say enough
    uint64_t context_tokens = 0;      // as trained
};
MemoryNeed memory_need(const gguf::File& file);

}  // namespace ingle::cli
