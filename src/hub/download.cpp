#include "hub/download.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/file.h"
#include "base/platform.h"
#include "base/sha256.h"
#include "base/text.h"

namespace ingle::hub {

namespace {

std::string header(const std::map<std::string, std::string>& headers, const char* name) {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
}

// W/"abc" -> abc
std::string bare_etag(std::string text) {
    if (text.starts_with("W/")) text.erase(0, 2);
    std::erase(text, '"');
    return text;
}

bool is_sha256(std::string_view text) {
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

// "bytes 100-199/200" -> 100
int64_t range_start(const std::string& text) {
    const size_t space = text.find(' ');
    const size_t dash = text.find('-');
    if (space == text.npos || dash == text.npos || dash < space) return -1;
    return parse_int(std::string_view(text).substr(space + 1, dash - space - 1)).value_or(-1);
}

// The bytes that are there, their hash, and the place for more.
class PartFile {
  public:
    explicit PartFile(fs::path path) : path_(std::move(path)) {}
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;
    ~PartFile() { close(); }

    // False: another process downloads this file at this time.
    Result<bool> open() {
        close();
        descriptor_ = platform::open_for_appending(path_);
        if (descriptor_ < 0) return fail(Code::io, path_.string(), ": cannot be written");
        return platform::lock_file(descriptor_);
    }

    // Hashes what an earlier attempt left.
    Status take_up() {
        std::vector<std::byte> buffer(1 << 20);
        while (true) {
            const int64_t count = platform::read_at(descriptor_, buffer, uint64_t(bytes_));
            if (count < 0) return fail(Code::io, path_.string(), ": cannot be read");
            if (count == 0) return {};
            hash_.update(std::span(buffer).first(size_t(count)));
            bytes_ += count;
        }
    }

    Status restart() {
        if (!platform::truncate_file(descriptor_, 0)) return fail(Code::io, path_.string(), ": cannot be cut");
        hash_ = Sha256();
        bytes_ = 0;
        return {};
    }

    Status append(std::span<const std::byte> bytes) {
        while (!bytes.empty()) {
            const int64_t count = platform::write_some(descriptor_, bytes);
            if (count <= 0) return fail(Code::io, path_.string(), ": cannot be written: is the disk full?");
            hash_.update(bytes.first(size_t(count)));
            bytes = bytes.subspan(size_t(count));
            bytes_ += count;
        }
        return {};
    }

    Status finish(const fs::path& target) {
        if (!platform::flush_to_disk(descriptor_)) return fail(Code::io, path_.string(), ": cannot be flushed");
        std::error_code error;
        fs::rename(path_, target, error);
        if (error) return fail(Code::io, target.string(), ": ", error.message());
        return {};
    }

    void discard() {
        std::error_code ignored;
        fs::remove(path_, ignored);
    }

    std::string digest() { return hash_.finish(); }
    int64_t bytes() const { return bytes_; }

  private:
    void close() {
        if (descriptor_ >= 0) platform::close_file(descriptor_);
        descriptor_ = -1;
    }

    fs::path path_;
    int descriptor_ = -1;
    Sha256 hash_;
    int64_t bytes_ = 0;
};

// One attempt, from where the part file ends.
Status attempt(const std::string& url, const FileInfo& info, PartFile& part, const PullOptions& options,
               const std::function<bool(uint64_t, uint64_t)>& progress) {
    const int64_t from = part.bytes();
    const HttpRequest request = {.url = url, .token = options.token, .from = from,
                                 .if_range = info.etag.empty() ? "" : cat('"', info.etag, '"')};
    bool begun = false;
    const auto reply = http_get(request, [&](const HttpReply& answer, std::span<const std::byte> bytes) -> Status {
        if (!begun) {
            begun = true;
            const bool goes_on = answer.status == 206 &&
                                 range_start(header(answer.last_headers, "content-range")) == from;
            if (from > 0 && !goes_on) {
                if (answer.status == 206) return fail(Code::corrupt, url, ": the server sent another range");
                INGLE_TRY(part.restart());
            }
            const std::string etag = bare_etag(header(answer.headers, "x-linked-etag"));
            if (!etag.empty() && !info.etag.empty() && etag != info.etag)
                return fail(Code::corrupt, url, ": the file changed while it was downloaded");
        }
        if (info.bytes >= 0 && part.bytes() + int64_t(bytes.size()) > info.bytes)
            return fail(Code::corrupt, url, ": the server sent more than the ", info.bytes, " bytes it promised");
        INGLE_TRY(part.append(bytes));
        if (!progress(uint64_t(part.bytes()), uint64_t(std::max<int64_t>(info.bytes, 0))))
            return fail(Code::cancelled, "interrupted; the next attempt goes on with ", human_bytes(part.bytes()));
        return {};
    });
    if (!reply.ok()) return reply.status();
    const bool past_the_end = reply->status == 416 && part.bytes() == info.bytes;
    return past_the_end || reply->status / 100 == 2 ? Status() : failure_of(url, *reply);
}

Status check_space(const FileInfo& info, const fs::path& target, int64_t there) {
    std::error_code error;
    const fs::space_info space = fs::space(target.parent_path(), error);
    const int64_t needed = info.bytes - there;
    if (error || needed <= 0 || uint64_t(needed) <= space.available) return {};
    return fail(Code::io, target.parent_path().string(), ": ", human_bytes(uint64_t(needed)), " are needed, ",
                human_bytes(space.available), " are free");
}

}  // namespace

Status failure_of(const std::string& url, const HttpReply& reply) {
    if (reply.status == 401 || reply.status == 403)
        return fail(Code::invalid_argument, url, ": access denied (", reply.status,
                    "); a private or gated model needs a token in HF_TOKEN");
    if (reply.status == 404) return fail(Code::not_found, url, ": not found (404)");
    return fail(Code::io, url, ": the server answered with status ", reply.status);
}

Result<FileInfo> ask_for_file(const std::string& url, const PullOptions& options) {
    const HttpRequest request = {.url = url, .token = options.token, .headers_only = true};
    INGLE_ASSIGN(const HttpReply reply,
                 http_get(request, [](const HttpReply&, std::span<const std::byte>) { return Status(); }));
    if (reply.status / 100 != 2) return failure_of(url, reply);
    FileInfo info;
    info.etag = bare_etag(header(reply.headers, "x-linked-etag"));
    if (info.etag.empty()) info.etag = bare_etag(header(reply.headers, "etag"));
    std::string size = header(reply.headers, "x-linked-size");
    if (size.empty()) size = header(reply.last_headers, "content-length");
    info.bytes = parse_int(size).value_or(-1);
    if (!is_safe_path(info.etag) || info.etag.find('/') != info.etag.npos)
        return fail(Code::corrupt, url, ": the server gave no usable entity tag: ", quoted(info.etag));
    return info;
}

Status download(const std::string& url, const FileInfo& info, const fs::path& target, const PullOptions& options,
                const std::function<bool(uint64_t done, uint64_t total)>& progress) {
    PartFile part(target.string() + ".incomplete");
    while (true) {
        INGLE_ASSIGN(const bool is_ours, part.open());
        std::error_code ignored;
        if (fs::is_regular_file(target, ignored)) {
            if (is_ours) part.discard();
            return {};
        }
        if (is_ours) break;
        if (!progress(0, uint64_t(std::max<int64_t>(info.bytes, 0))))
            return fail(Code::cancelled, "interrupted while another process downloads ", target.string());
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    INGLE_TRY(part.take_up());
    INGLE_TRY(check_space(info, target, part.bytes()));
    if (info.bytes >= 0 && part.bytes() > info.bytes) INGLE_TRY(part.restart());
    int idle = 0;
    while (info.bytes < 0 || part.bytes() < info.bytes || info.bytes == 0) {
        const int64_t before = part.bytes();
        Status status = attempt(url, info, part, options, progress);
        if (status.ok() && (info.bytes < 0 || part.bytes() == info.bytes)) break;
        if (!status.ok() && status.code() != Code::io) {
            if (status.code() == Code::corrupt) part.discard();
            return status;
        }
        idle = part.bytes() > before ? 0 : idle + 1;
        if (idle >= options.attempts_max)
            return status.ok() ? fail(Code::io, url, ": the server ends after ", part.bytes(), " of ", info.bytes,
                                      " bytes")
                               : status;
        std::this_thread::sleep_for(std::chrono::milliseconds(100 << std::min(idle, 6)));
    }
    if (is_sha256(info.etag)) {
        const std::string digest = part.digest();
        if (digest != info.etag) {
            part.discard();
            return fail(Code::corrupt, url, ": the bytes have the hash ", digest, ", the hub says ", info.etag);
        }
    }
    return part.finish(target);
}

}  // namespace ingle::hub
