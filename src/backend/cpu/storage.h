// Where matrices are kept: packed in memory, packed in a file that processes share, or in the model's file as they are.
#pragma once

#include <filesystem>

namespace ingle::cpu {

struct StorageOptions {
    // Multiplied from the mapped file, packed anew for each product: slower, but nothing is read ahead and no memory held.
    bool no_repack = false;
    // A folder with the packed matrices of models, mapped from there; empty: none.
    std::filesystem::path repack_cache = {};
    // Read all of a file in that folder before it is trusted, and not only what tells that it fits.
    bool check_cache = false;
};

}  // namespace ingle::cpu
