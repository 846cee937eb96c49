// Looks at every block of every tensor: does it decode to finite numbers? A NaN or infinite scale, an exponent out of
// range or a stored NaN shows as values that are not. Codes that mean nothing count, too (codes.h).
#pragma once

#include "base/thread_pool.h"
#include "container/copy.h"

namespace ingle::container {

struct TensorFault {
    std::string tensor;
    std::string type;
    uint64_t bad_blocks = 0;
    uint64_t first_block = 0;  // counted from the tensor's beginning
    uint64_t first_row = 0;    // the row it lies in
    uint64_t blocks = 0;       // of the whole tensor
};

struct CheckReport {
    std::vector<TensorFault> faults;
    std::vector<std::string> unknown;  // tensors whose type this build cannot decode
    uint64_t tensors = 0;              // checked
    uint64_t blocks = 0;               // checked
};

Result<CheckReport> check_tensors(const gguf::File& file, ThreadPool& pool, const Progress& progress);

// Fails, with the first fault in words, if there is one.
Status status_of(const CheckReport& report);
std::string describe(const TensorFault& fault);

}  // namespace ingle::container
