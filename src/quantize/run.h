// Carries a plan out: reads, encodes and writes a few megabytes of rows at a time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/function_ref.h"
#include "quant/support/encode_context.h"
#include "quantize/plan.h"

namespace ingle::quantize {

struct RunOptions {
    int threads = 1;
    int effort = quant::effort_min;  // of the encoders, up to quant::effort_max
    bool keep_split = false;  // as many files as the source has, with its tensors in each
    // Bytes of source data done and of all, now and then. False stops the work.
    FunctionRef<bool(uint64_t done, uint64_t total)> progress;
};

// What was done to one tensor and what it cost.
struct TensorReport {
    std::string name;
    uint32_t type_before = 0;
    uint32_t type_after = 0;
    uint64_t elements = 0;
    uint64_t bytes_before = 0;
    uint64_t bytes_after = 0;
    double seconds = 0;
    // Sums over the elements, of decoded new minus decoded old; 0 for copies.
    double squared_error = 0;
    double squared_value = 0;
    bool weighted = false;  // with an importance matrix
};

struct Report {
    std::vector<TensorReport> tensors;
    std::vector<std::filesystem::path> files;
    uint64_t file_bytes = 0;
    double seconds = 0;
};

// Writes `path`, or its parts. Until every byte is on the disk nothing has its name, so a failure
// at any moment leaves old files as they were. Refuses a target that is the source, too little free
// space, and a tensor that holds NaN or infinity.
Result<Report> run(const gguf::File& source, const Plan& plan, const std::filesystem::path& path,
                   const RunOptions& options);

// "NAME-00002-of-00003.gguf" for part 1 (of 0, 1, 2) of "NAME.gguf".
std::filesystem::path part_path(const std::filesystem::path& path, size_t part, size_t parts);

}  // namespace ingle::quantize
