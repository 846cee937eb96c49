// The packed matrices of a model in a file that processes map, shared and read-only.
//
//   header: magic, version, sizes, checksums; the state of the model's files; the matrices and their places
//   data:   at a multiple of 2 MiB: every matrix as packed.h has it, at its place
//
// A file is used only if all of this holds (docs/LOADING.md says why that is enough):
//   - its header is whole and its length is the one that the header names;
//   - the model's files have the length and the times of writing and of change that they had;
//   - name, type, shape and place of every matrix are the same, here and in the model's files;
//   - of every matrix a group of rows, packed anew from the model by the kernels in use, is the same bytes.
// It is written under a temporary name, flushed to the disk and renamed.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "backend/cpu/packer.h"
#include "base/file.h"

namespace ingle::cpu {

class RepackCache {
  public:
    // `matrices` are in order of their places, all from files, and outlive this object.
    RepackCache(const std::filesystem::path& folder, std::span<const PlacedMatrix> matrices);

    const std::filesystem::path& path() const { return path_; }

    struct Mapping {
        MappedFile file;
        uint64_t data_offset = 0;
    };
    // Fails with Code::not_found if there is none, with another code and the reason if it must not be used; with
    // `check_all` all of its data is read and compared with its checksum.
    Result<Mapping> open(bool check_all) const;
    // Makes the file, or leaves an older one as it was.
    Status write(ThreadPool& pool, const backend::Progress& progress) const;

  private:
    Status compare_samples(std::span<const std::byte> data) const;
    uint64_t checksum_of(std::span<const std::byte> data) const;

    std::span<const PlacedMatrix> matrices_;
    std::string model_state_;  // of the model's files
    std::string layout_;       // of the matrices
    std::string model_path_;
    uint64_t data_bytes_ = 0;
    std::filesystem::path path_;
};

// A file of a cache as it is found.
struct CachedRepack {
    std::filesystem::path path;
    std::string model;  // where its model was; empty if its header cannot be read
    uint64_t bytes = 0;
};
std::vector<CachedRepack> list_repack_cache(const std::filesystem::path& folder);

}  // namespace ingle::cpu
