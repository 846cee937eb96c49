#include "base/file.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "base/mapping_guard.h"
#include "base/platform.h"

namespace ingle {

namespace {

Status io_error(const std::filesystem::path& path, const char* doing) {
    const int error = errno;
    const Code code = error == ENOENT ? Code::not_found : Code::io;
    return fail(code, "cannot ", doing, " ", quoted(path.string(), 4096), ": ",
                std::strerror(error));
}

}  // namespace

struct MappedFile::Handle {
    explicit Handle(int descriptor) : descriptor(descriptor) {}
    ~Handle() {
        guard.reset();
        platform::unmap(bytes);
        platform::close_file(descriptor);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    int descriptor;
    std::span<const std::byte> bytes;
    std::optional<platform::MappingGuard> guard;
};

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return fail(Code::invalid_argument, "cannot open ", quoted(path.string(), 4096),
                    ": expected a file, found a directory");
    const int descriptor = platform::open_for_reading(path);
    if (descriptor < 0) return io_error(path, "open");
    const auto handle = std::make_shared<Handle>(descriptor);
    if (!platform::map_whole_file(descriptor, handle->bytes)) return io_error(path, "map");
    handle->guard.emplace(handle->bytes);

    MappedFile file;
    file.path_ = path;
    file.bytes_ = handle->bytes;
    file.handle_ = handle;
    return file;
}

Status MappedFile::read(uint64_t offset, std::span<std::byte> out) const {
    size_t done = 0;
    while (done < out.size()) {
        const int64_t count =
            platform::read_at(handle_->descriptor, out.subspan(done), offset + done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return io_error(path_, "read");
        if (count == 0)
            return fail(Code::io, "cannot read ", quoted(path_.string(), 4096), ": expected ",
                        out.size(), " bytes at offset ", offset, ", the file now ends after ",
                        done);
        done += size_t(count);
    }
    return {};
}

Status MappedFile::intact() const {
    if (!handle_->guard->tripped()) return {};
    std::error_code error;
    const uint64_t size = std::filesystem::file_size(path_, error);
    if (!error && size < bytes_.size())
        return fail(Code::io, quoted(path_.string(), 4096), " was cut while in use: it had ",
                    bytes_.size(), " bytes and now has ", size);
    return fail(Code::io, "a part of ", quoted(path_.string(), 4096),
                " could not be read any more: was the file cut, or does its disk fail?");
}

void MappedFile::drop_pages(uint64_t offset, uint64_t size) const {
    platform::drop_mapped_pages(bytes_, offset, size);
}

void MappedFile::drop_cached(uint64_t offset, uint64_t size) const {
    platform::drop_cached_pages(handle_->descriptor, offset, size);
}

void MappedFile::expect_pages(uint64_t offset, uint64_t size) const {
    platform::expect_mapped_pages(bytes_, offset, size);
}

platform::FileTimes MappedFile::times() const {
    platform::FileTimes times;
    if (!platform::file_times(handle_->descriptor, times)) times = {};
    return times;
}

Result<std::string> read_file(const std::filesystem::path& path, uint64_t bytes_max) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return fail(Code::invalid_argument, "cannot read ", quoted(path.string(), 4096),
                    ": expected a file, found a directory");
    const int descriptor = platform::open_for_reading(path);
    if (descriptor < 0) return io_error(path, "open");
    auto content = platform::read_to_end(descriptor, bytes_max);
    const int saved = errno;
    platform::close_file(descriptor);
    if (!content) {
        errno = saved;
        return io_error(path, "read");
    }
    if (content->size() > bytes_max)
        return fail(Code::limit, quoted(path.string(), 4096), " is larger than ",
                    human_bytes(bytes_max), ", the most that is read here");
    return std::move(*content);
}

Result<std::string> read_standard_input(uint64_t bytes_max) {
    auto content = platform::read_to_end(0, bytes_max);
    if (!content) return io_error("standard input", "read");
    if (content->size() > bytes_max)
        return fail(Code::limit, "standard input holds more than ", human_bytes(bytes_max));
    return std::move(*content);
}

struct AtomicFile::Handle {
    Handle(std::filesystem::path target, std::filesystem::path temporary, int descriptor)
        : target(std::move(target)), temporary(std::move(temporary)), descriptor(descriptor) {}
    ~Handle() {
        if (descriptor >= 0) platform::close_file(descriptor);
        std::error_code ignored;
        if (!committed) std::filesystem::remove(temporary, ignored);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    std::filesystem::path target;
    std::filesystem::path temporary;
    int descriptor;
    bool committed = false;
};

namespace {

constexpr std::string_view part_mark = ".part-";

// PATH.part-PROCESS-NUMBER
bool is_part_of(std::string_view name, std::string_view target) {
    if (!name.starts_with(target)) return false;
    name.remove_prefix(target.size());
    return name.starts_with(part_mark) &&
           name.find_first_not_of("0123456789-", part_mark.size()) == std::string_view::npos;
}

// Parts that nobody writes any more: their writer was killed. Whoever writes one holds its lock.
void remove_stale_parts(const std::filesystem::path& path) {
    std::error_code ignored;
    const std::string target = path.filename().string();
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        if (!is_part_of(entry.path().filename().string(), target)) continue;
        const int descriptor = platform::open_for_reading(entry.path());
        if (descriptor < 0) continue;
        if (platform::lock_file(descriptor)) std::filesystem::remove(entry.path(), ignored);
        platform::close_file(descriptor);
    }
}

}  // namespace

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& path) {
    static std::atomic<uint64_t> counter = 0;  // several writers in one process
    remove_stale_parts(path);
    for (int tries = 0;; ++tries) {
        std::filesystem::path temporary = path;
        temporary += cat(part_mark, platform::process_id(), "-", ++counter);
        const int descriptor = platform::create_for_writing(temporary);
        if (descriptor < 0) return io_error(temporary, "create");
        // Before it was locked, another process may have taken it for a stale one. Not every file
        // system has locks; where there are none, nobody removes parts either.
        std::error_code ignored;
        const bool is_safe = platform::lock_file(descriptor) &&
                             std::filesystem::exists(temporary, ignored);
        constexpr int tries_max = 3;
        if (!is_safe && tries + 1 < tries_max) {
            platform::close_file(descriptor);
            std::filesystem::remove(temporary, ignored);
            continue;
        }
        AtomicFile file;
        file.handle_ = {new Handle(path, temporary, descriptor),
                        [](Handle* handle) { delete handle; }};
        return file;
    }
}

Status AtomicFile::append(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const int64_t count = platform::write_some(handle_->descriptor, bytes);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return io_error(handle_->temporary, "write");
        bytes = bytes.subspan(size_t(count));
    }
    return {};
}

Status AtomicFile::reserve(uint64_t bytes) {
    if (platform::reserve_file(handle_->descriptor, bytes)) return {};
    return io_error(handle_->temporary, "reserve space for");
}

Status AtomicFile::write_at(uint64_t offset, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const int64_t count = platform::write_at(handle_->descriptor, bytes, offset);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return io_error(handle_->temporary, "write");
        bytes = bytes.subspan(size_t(count));
        offset += uint64_t(count);
    }
    return {};
}

Status AtomicFile::commit() {
    Handle& file = *handle_;
    if (!platform::flush_to_disk(file.descriptor)) return io_error(file.temporary, "write");
    std::error_code error;
    std::filesystem::rename(file.temporary, file.target, error);
    platform::close_file(std::exchange(file.descriptor, -1));  // with its lock, now that it is safe
    if (error)
        return fail(Code::io, "cannot rename ", quoted(file.temporary.string(), 4096), " to ",
                    quoted(file.target.string(), 4096), ": ", error.message());
    file.committed = true;
    return {};
}

Status write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    INGLE_ASSIGN(AtomicFile file, AtomicFile::create(path));
    INGLE_TRY(file.append(bytes));
    return file.commit();
}

}  // namespace ingle
