// Where a model's matrices are kept: --repack, --repack-cache.
#pragma once

#include <filesystem>
#include <vector>

#include "backend/cpu/storage.h"
#include "base/option.h"

namespace ingle::cli {

std::vector<Option> storage_options();
Result<cpu::StorageOptions> storage_of(const OptionValues& values);

// Where repacked weights lie if --repack-cache names no folder: $XDG_CACHE_HOME/ingle/repacked, else under ~/.cache.
std::filesystem::path default_repack_cache();
// The folder that --repack-cache names; empty if it was not given.
std::filesystem::path repack_cache_folder(const OptionValues& values);
Option repack_cache_option(const char* help);

}  // namespace ingle::cli
