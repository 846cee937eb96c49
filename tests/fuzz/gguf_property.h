// What must hold for every byte string given to the GGUF reader; shared by the corpus test and the
// fuzzer.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "gguf/reader.h"
#include "gguf/writer.h"

namespace ingle::test {

// Ends the process with a line on the broken property, so that libFuzzer keeps the input.
inline void must(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "broken property: %s\n", what);
    std::abort();
}

// Refused with a message; or accepted, then every tensor lies inside the file and the header
// written back is the header read, byte for byte. Returns whether it was accepted.
inline bool check_gguf(std::span<const std::byte> input) {
    const auto file = gguf::File::parse(input);
    if (!file.ok()) {
        must(!file.status().message().empty(), "a refusal has a message");
        must(file.status().message().size() < 2000, "a message is short");
        return false;
    }
    std::vector<gguf::TensorSpec> specs;
    for (const gguf::TensorInfo& tensor : file->tensors()) {
        const auto data = file->bytes(tensor);
        must(data.size() == tensor.bytes, "a tensor has all its bytes");
        must(
            data.data() >= input.data() && data.data() + data.size() <= input.data() + input.size(),
            "a tensor lies inside the file");
        must(file->find_tensor(tensor.name) == &tensor, "a tensor is found by its name");
        specs.push_back(
            {tensor.name, tensor.type_id, {tensor.shape().begin(), tensor.shape().end()}});
    }
    for (const auto& [key, value] : file->metadata().entries()) {
        must(file->find(key) == &value, "a value is found by its key");
        must(describe(value).size() < 1000, "a description is short");
        (void)gguf::as<int32_t>(value);
        (void)gguf::as<float>(value);
        (void)gguf::as<std::vector<uint32_t>>(value);
    }
    const auto header = gguf::read_header(input);
    const auto written = gguf::header_bytes(file->metadata(), specs, file->version());
    must(header.ok() && written.ok(), "what was read can be written");
    must(written->size() >= header->bytes &&
             std::memcmp(written->data(), input.data(), size_t(header->bytes)) == 0,
         "a header written back is the header read");
    return true;
}

}  // namespace ingle::test
