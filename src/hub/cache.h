// The cache of downloaded models, in the layout of the Hugging Face hub's own tools, so that they share it:
//
//   models--user--name/blobs/ETAG                      the bytes of a file
//   models--user--name/snapshots/COMMIT/FILE           a link to them
//   models--user--name/refs/REVISION                   the commit that a branch or tag stood at
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hub/reference.h"

namespace ingle::hub {

namespace fs = std::filesystem;

class Cache {
  public:
    explicit Cache(fs::path root) : root_(std::move(root)) {}
    // HF_HUB_CACHE, HF_HOME/hub, XDG_CACHE_HOME/huggingface/hub or ~/.cache/huggingface/hub.
    static Cache of_environment();

    const fs::path& root() const { return root_; }
    fs::path folder(const std::string& repo) const;
    fs::path blob(const std::string& repo, const std::string& etag) const { return folder(repo) / "blobs" / etag; }
    fs::path file(const std::string& repo, const std::string& commit, const std::string& name) const {
        return folder(repo) / "snapshots" / commit / name;
    }
    // The commit that the revision was at when last asked for; empty if it never was.
    std::string commit_of(const std::string& repo, const std::string& revision) const;
    Status remember_commit(const std::string& repo, const std::string& revision, const std::string& commit) const;
    // The whole files that are there for a commit.
    std::vector<std::string> names(const std::string& repo, const std::string& commit) const;
    Status link(const std::string& repo, const std::string& commit, const std::string& name,
                const std::string& etag) const;

    // Files that a reference names and that are all there, the first of a split model first. Fails if they are not.
    Result<std::vector<fs::path>> find(const Reference& reference) const;

    struct Entry {
        std::string repo, name, commit;
        uint64_t bytes = 0;
        fs::file_time_type written;
    };
    // Every GGUF file, by repository and name.
    std::vector<Entry> entries() const;
    // Takes the files of a reference away, and what nothing else uses. Returns the bytes that became free.
    Result<uint64_t> remove(const Reference& reference) const;
    // Gives the files of a reference a second place, in a repository that is not there yet; their bytes are shared where
    // the file system can. If it fails, nothing of the copy is left.
    Status copy(const Reference& reference, const std::string& repo) const;

  private:
    Status copy_files(const Reference& reference, const std::string& repo) const;
    std::vector<std::string> commits(const std::string& repo) const;

    fs::path root_;
};

}  // namespace ingle::hub
