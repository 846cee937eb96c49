// The importance of every input column of every weight matrix: how large the activations are that
// meet it, measured on a calibration text. Quantizers keep important columns better.
//
//   mean(x[c]^2) over tokens = sums[c] / counts
//
// Two file forms of llama.cpp, both read and written: GGUF (general.type = imatrix; per weight two
// F32 tensors, NAME.in_sum2 [columns, experts] and NAME.counts [1, experts]) and the older .dat.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace ingle::imatrix {

// One weight matrix, or a stack of them (experts), each with a count of its own.
struct Entry {
    std::vector<float> sums;    // [experts][columns]: sum over tokens of the squared input
    std::vector<float> counts;  // [experts]: tokens that reached it; 0 if none did

    uint64_t experts() const { return counts.size(); }
    uint64_t columns() const { return counts.empty() ? 0 : sums.size() / counts.size(); }
    bool operator==(const Entry&) const = default;
};

inline constexpr uint32_t chunk_tokens_default = 512;

struct Matrix {
    std::map<std::string, Entry, std::less<>>
        entries;                                   // by the weight's name, "blk.0.attn_q.weight"
    std::vector<std::string> datasets;             // names of the texts
    uint32_t chunk_count = 0;                      // chunks of text that were computed
    uint32_t chunk_tokens = chunk_tokens_default;  // tokens of a chunk

    bool operator==(const Matrix&) const = default;
};

enum class Form { gguf, dat };

// Reads either form. The older one has calls instead of tokens and does not say how many experts a
// tensor has: each call counts as `chunk_tokens` tokens, and an entry as one expert with all
// columns
// (`means` and `merge` know). Refuses numbers that no measurement gives: negative or not finite.
Result<Matrix> load(const std::filesystem::path& path,
                    uint32_t chunk_tokens = chunk_tokens_default);
// The same for a file in memory.
Result<Matrix> parse(std::span<const std::byte> bytes,
                     uint32_t chunk_tokens = chunk_tokens_default);

// Leaves the old file or the new one, never half.
Status save(const std::filesystem::path& path, const Matrix& matrix, Form form);

// Adds what `other` measured to `into`. Fails, changing nothing, if a weight differs in shape.
Status merge(Matrix& into, const Matrix& other);

// Mean squares for a weight of that shape, [experts][columns]. An expert that no token reached gets
// ones: all its columns alike. Fails if the entry has another shape.
Result<std::vector<float>> means(const Entry& entry, uint64_t columns, uint64_t experts);

}  // namespace ingle::imatrix
