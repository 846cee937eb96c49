#include "base/file.h"

#include <cerrno>
#include <cstring>
#include <utility>

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
        platform::unmap(bytes);
        platform::close_file(descriptor);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    int descriptor;
    std::span<const std::byte> bytes;
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

void MappedFile::drop_pages(uint64_t offset, uint64_t size) const {
    platform::drop_mapped_pages(bytes_, offset, size);
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

Status write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    std::filesystem::path temporary = path;
    temporary += cat(".part-", platform::process_id());
    const int descriptor = platform::create_for_writing(temporary);
    if (descriptor < 0) return io_error(temporary, "create");
    bool written = true;
    for (size_t done = 0; written && done < bytes.size();) {
        const int64_t count = platform::write_some(descriptor, bytes.subspan(done));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) written = false;
        else done += size_t(count);
    }
    written = written && platform::flush_to_disk(descriptor);
    Status status = written ? Status() : io_error(temporary, "write");
    platform::close_file(descriptor);
    std::error_code error;
    if (status.ok()) std::filesystem::rename(temporary, path, error);
    if (error)
        status = fail(Code::io, "cannot rename ", quoted(temporary.string(), 4096), " to ",
                      quoted(path.string(), 4096), ": ", error.message());
    if (!status.ok()) std::filesystem::remove(temporary, error);
    return status;
}

}  // namespace ingle
