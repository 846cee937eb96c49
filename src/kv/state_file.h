// A sequence in a file: its tokens and the pages that hold their keys and values.
//
//   Header | tokens i32[tokens] | checksum | pages, each page_bytes | checksum of everything before
//
// Pages from first_window on are longer by window_bytes: by what layers with a sliding window know of them.
//
// Little endian, as in memory. The file is bound to its model and to the form of the cache; a file that was cut, changed
// or made for another is refused before anything is touched.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "base/checksum.h"
#include "base/file.h"
#include "tensor/batch.h"

namespace ingle::kv {

// What a state fits.
struct StateBinding {
    uint64_t model = 0;  // a fingerprint of its file
    uint32_t key_type = 0;
    uint32_t value_type = 0;
    uint32_t page_tokens = 0;
    uint64_t page_bytes = 0;    // KvLayout::state_bytes() of the lasting part
    uint64_t window_bytes = 0;  // of the windowed part

    static StateBinding of(const backend::KvLayout& layout, uint64_t model);
};

// Writes page by page; the file takes its name once it is whole.
class StateWriter {
  public:
    static Result<StateWriter> create(const std::filesystem::path& path, const StateBinding& binding,
                                      std::span<const Token> tokens, int64_t first_window);
    // Pages in order, each with its windowed part behind it; any number at once.
    Status append(std::span<const std::byte> pages);
    Status commit();
    uint64_t bytes() const { return bytes_; }

  private:
    explicit StateWriter(AtomicFile file) : file_(std::move(file)) {}
    Status put(std::span<const std::byte> bytes);

    AtomicFile file_;
    Checksum sum_;
    uint64_t bytes_ = 0;
};

// A file that was found whole and fitting.
class StateReader {
  public:
    static Result<StateReader> open(const std::filesystem::path& path, const StateBinding& binding);

    std::span<const Token> tokens() const { return tokens_; }
    int64_t pages() const { return pages_; }
    int64_t first_window() const { return first_window_; }
    std::span<const std::byte> page(int64_t index) const {
        return file_.bytes().subspan(size_t(start_of(index)), size_t(page_bytes_));
    }
    // Of a page from first_window() on.
    std::span<const std::byte> window(int64_t index) const {
        return file_.bytes().subspan(size_t(start_of(index) + page_bytes_), size_t(window_bytes_));
    }
    // Fails if the file could not be read after all.
    Status intact() const { return file_.intact(); }
    uint64_t bytes() const { return file_.bytes().size(); }

  private:
    explicit StateReader(MappedFile file) : file_(std::move(file)) {}
    Status read(const StateBinding& binding);
    uint64_t start_of(int64_t index) const {
        return first_page_ + uint64_t(index) * page_bytes_ +
               uint64_t(std::max<int64_t>(0, index - first_window_)) * window_bytes_;
    }

    MappedFile file_;
    std::vector<Token> tokens_;
    int64_t pages_ = 0;
    uint64_t first_page_ = 0;
    int64_t first_window_ = 0;
    uint64_t page_bytes_ = 0;
    uint64_t window_bytes_ = 0;
};

}  // namespace ingle::kv
