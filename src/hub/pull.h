// Getting models from a hub into the cache.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hub/cache.h"
#include "hub/reference.h"

namespace ingle::hub {

struct PullOptions {
    std::string endpoint;  // "https://huggingface.co"
    std::string token;     // empty: none
    bool offline = false;  // only what the cache holds
    int attempts_max = 8;  // without a new byte, before a download that breaks off is given up

    // HF_ENDPOINT, HF_TOKEN (or the file HF_HOME/token), HF_HUB_OFFLINE.
    static PullOptions of_environment();
};

// Bytes of one file so far; 0 in all while its size is not known. False cancels; what is there stays for later.
using PullProgress = std::function<bool(const std::string& name, uint64_t done, uint64_t total)>;

// The files of the reference in the cache, downloaded if they are not there or not the newest. A file takes its name
// once it is whole and its hash is right; nothing that was there before is touched. Where the hub cannot be reached,
// what the cache holds is taken, with a warning in the log.
Result<std::vector<fs::path>> pull(const Reference& reference, const Cache& cache, const PullOptions& options,
                                   const PullProgress& progress);

}  // namespace ingle::hub
