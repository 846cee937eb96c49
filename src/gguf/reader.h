// Opens GGUF files: one file or a split set, memory-mapped. Everything the header says is checked
// against the bytes present before memory is reserved for it; tensor data is not touched before it
// is used.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/status.h"
#include "gguf/format.h"
#include "gguf/metadata.h"

namespace ingle::gguf {

struct TensorInfo {
    std::string name;
    uint32_t type_id = 0;                                // see tensor_type.h
    uint32_t rank = 0;                                   // 0 to 4; rank 0 holds one element
    std::array<uint64_t, rank_max> dims = {1, 1, 1, 1};  // fastest first; 1 beyond the rank
    uint64_t offset = 0;  // bytes from the beginning of its shard's file
    uint64_t bytes = 0;
    uint32_t shard = 0;

    std::span<const uint64_t> shape() const { return {dims.data(), rank}; }
    uint64_t elements() const { return dims[0] * dims[1] * dims[2] * dims[3]; }
};

// What precedes the data of one file.
struct Header {
    uint32_t version = 0;
    uint64_t alignment = 0;
    Metadata metadata;
    std::vector<TensorInfo> tensors;
    uint64_t bytes = 0;        // up to the end of the tensor infos
    uint64_t data_offset = 0;  // `bytes`, aligned
};

// Reads and checks a header and that its tensors lie inside `file`. String arrays keep views into
// `file`, whose bytes `owner` keeps alive (empty: the caller does).
Result<Header> read_header(std::span<const std::byte> file, std::shared_ptr<const void> owner = {});

// The name of a part of a split set, "PREFIX-00002-of-00003.gguf"; `part` counts from 0, the name from 1.
std::filesystem::path part_path(const std::filesystem::path& prefix, uint64_t part, uint64_t count);

// An open model. Copies share the mappings. All const functions may be called from several threads.
class File {
  public:
    enum class Splits { follow, ignore };

    // Opens `path`. If it is any part of a split set ("NAME-00002-of-00003.gguf"), opens the whole
    // set, whose metadata is that of the first part; with Splits::ignore only the file itself.
    static Result<File> open(const std::filesystem::path& path, Splits splits = Splits::follow);
    // A file in memory, which must outlive the result. Does not look for other parts.
    static Result<File> parse(std::span<const std::byte> bytes);

    uint32_t version() const { return version_; }
    uint64_t alignment() const { return alignment_; }
    const Metadata& metadata() const { return metadata_; }
    const Value* find(std::string_view key) const { return metadata_.find(key); }
    template <class T>
    Result<T> get(std::string_view key) const {
        return metadata_.get<T>(key);
    }

    // In file order, parts in sequence.
    std::span<const TensorInfo> tensors() const { return tensors_; }
    // Null if there is no tensor of that name.
    const TensorInfo* find_tensor(std::string_view name) const;

    // The tensor's bytes in the mapping; pages are read from the disk as they are touched.
    std::span<const std::byte> bytes(const TensorInfo& tensor) const;
    // Reads [offset, offset + out.size()) of the tensor with ordinary reads, bypassing the mapping.
    Status read(const TensorInfo& tensor, uint64_t offset, std::span<std::byte> out) const;
    // Tells the system that the tensor's pages are not needed again soon.
    void drop_pages(const TensorInfo& tensor) const;

    // Fails once a part was found cut or unreadable through its mapping.
    Status intact() const;

    size_t shard_count() const { return shards_.size(); }
    // The mapped file of a part; null after parse().
    const MappedFile* shard(size_t index) const { return shards_[index].file.get(); }
    // All bytes of all parts.
    uint64_t total_bytes() const;

  private:
    struct Shard {
        std::shared_ptr<const MappedFile> file;
        std::span<const std::byte> bytes;
    };
    struct Part {
        Header header;
        Shard shard;
    };
    static Result<Part> open_part(const std::filesystem::path& path);
    static Result<File> open_set(const std::filesystem::path& prefix, uint64_t count);
    static Result<File> assemble(Part part);
    Status append(Part part);

    uint32_t version_ = 0;
    uint64_t alignment_ = 0;
    Metadata metadata_;
    std::vector<TensorInfo> tensors_;
    std::map<std::string, size_t, std::less<>> tensor_index_;
    std::vector<Shard> shards_;
};

}  // namespace ingle::gguf
