// Figures about an importance matrix: which tensors carry much, and how unevenly.
#pragma once

#include "imatrix/imatrix.h"

namespace ingle::imatrix {

// Of the mean squares of one entry, all experts together (those that no token reached left out).
struct EntryStatistics {
    std::string name;
    int64_t layer = -1;       // the number in "blk.N."; -1: none
    uint64_t columns = 0;     // of all experts counted
    double sum = 0, least = 0, greatest = 0, mean = 0, deviation = 0;
    double active = 0;        // share above 1e-5
    double entropy = 0;       // of the mean squares as a distribution, bits
    double entropy_share = 0; // of the largest possible, log2(columns)
    double outliers = 0;      // share more than one deviation above the mean
    double similarity = 0;    // cosine with the same tensor of the layer before; 0 if there is none
};

// By sum, largest first.
std::vector<EntryStatistics> statistics_of(const Matrix& matrix);

}  // namespace ingle::imatrix
