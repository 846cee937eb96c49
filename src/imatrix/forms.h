// The two file forms of an importance matrix (imatrix.h chooses between them).
#pragma once

#include <cmath>
#include <cstddef>

#include "imatrix/imatrix.h"

namespace ingle::imatrix {

Result<Matrix> parse_gguf(std::span<const std::byte> bytes);
Result<Matrix> parse_dat(std::span<const std::byte> bytes, uint32_t chunk_tokens);
Status save_gguf(const std::filesystem::path& path, const Matrix& matrix);
Status save_dat(const std::filesystem::path& path, const Matrix& matrix);

// Fails at the first number that is negative or not finite.
inline Status check_measured(std::span<const float> values, std::string_view what) {
    for (size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i]) || values[i] < 0)
            return fail(Code::corrupt, what, ": expected a finite number of at least 0, found ",
                        double(values[i]), " at position ", i);
    return {};
}

}  // namespace ingle::imatrix
