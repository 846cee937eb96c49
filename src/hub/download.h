// One file: from a URL to its place in the cache, over as many broken connections as it takes.
#pragma once

#include "hub/http.h"
#include "hub/pull.h"

namespace ingle::hub {

// What a hub says of a file before it is sent.
struct FileInfo {
    std::string etag;    // without quotes; its SHA-256 for large files
    int64_t bytes = -1;  // -1: not known
};

Result<FileInfo> ask_for_file(const std::string& url, const PullOptions& options);
// Downloads to `target`, by way of a neighbour `target`.incomplete that later attempts go on with.
Status download(const std::string& url, const FileInfo& info, const fs::path& target, const PullOptions& options,
                const std::function<bool(uint64_t done, uint64_t total)>& progress);

// The failure for an answer that is no success.
Status failure_of(const std::string& url, const HttpReply& reply);

}  // namespace ingle::hub
