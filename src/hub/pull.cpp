#include "hub/pull.h"

#include <cctype>
#include <cstdlib>

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "grammar/schema/json.h"
#include "hub/download.h"

namespace ingle::hub {

namespace {

constexpr size_t listing_bytes_max = 64 << 20;

std::string environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

// What a repository holds at a revision.
struct Listing {
    std::string commit;
    std::vector<std::string> names;
};

Result<Listing> ask_for_listing(const Reference& reference, const PullOptions& options) {
    const std::string url = cat(options.endpoint, "/api/models/", reference.repo, "/revision/", reference.revision);
    std::string body;
    INGLE_ASSIGN(const HttpReply reply, http_get({.url = url, .token = options.token},
                                                 [&](const HttpReply&, std::span<const std::byte> bytes) -> Status {
        if (body.size() + bytes.size() > listing_bytes_max)
            return fail(Code::limit, url, ": an answer of more than ", human_bytes(listing_bytes_max));
        body.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return {};
    }));
    if (reply.status / 100 != 2) return failure_of(url, reply);
    using grammar::Json;
    INGLE_ASSIGN(const Json json, Json::parse(body));
    Listing listing;
    if (const Json* commit = json.find("sha")) listing.commit = commit->text;
    if (const Json* files = json.find("siblings"))
        for (const Json& file : files->items)
            if (const Json* name = file.find("rfilename")) listing.names.push_back(name->text);
    if (!is_safe_path(listing.commit) || listing.commit.find('/') != std::string::npos)
        return fail(Code::corrupt, url, ": expected a JSON object with a commit in \"sha\"");
    return listing;
}

std::string in_url(std::string_view path) {
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string out;
    for (const char c : path) {
        const bool plain = std::isalnum(uint8_t(c)) || std::string_view("-._~/").find(c) != std::string_view::npos;
        if (plain) out += c;
        else ((out += '%') += digits[uint8_t(c) >> 4]) += digits[c & 15];
    }
    return out;
}

Status fetch(const Reference& reference, const std::string& commit, const std::string& name, const Cache& cache,
             const PullOptions& options, const PullProgress& progress) {
    std::error_code ignored;
    if (fs::is_regular_file(cache.file(reference.repo, commit, name), ignored)) return {};
    const std::string url = cat(options.endpoint, "/", reference.repo, "/resolve/", commit, "/", in_url(name));
    INGLE_ASSIGN(const FileInfo info, ask_for_file(url, options));
    const fs::path blob = cache.blob(reference.repo, info.etag);
    if (!fs::is_regular_file(blob, ignored)) {
        std::error_code error;
        fs::create_directories(blob.parent_path(), error);
        if (error) return fail(Code::io, blob.parent_path().string(), ": ", error.message());
        INGLE_TRY(download(url, info, blob, options, [&](uint64_t done, uint64_t total) {
            return progress(name, done, total);
        }));
    }
    return cache.link(reference.repo, commit, name, info.etag);
}

}  // namespace

PullOptions PullOptions::of_environment() {
    PullOptions options;
    options.endpoint = environment("HF_ENDPOINT");
    if (options.endpoint.empty()) options.endpoint = "https://huggingface.co";
    while (options.endpoint.ends_with('/')) options.endpoint.pop_back();
    options.token = environment("HF_TOKEN");
    const std::string home = environment("HF_HOME");
    if (options.token.empty() && !home.empty()) {
        if (const auto text = read_file(fs::path(home) / "token", 4096); text.ok()) options.token = trim(*text);
    }
    const std::string offline = environment("HF_HUB_OFFLINE");
    options.offline = !offline.empty() && offline != "0";
    return options;
}

Result<std::vector<fs::path>> pull(const Reference& reference, const Cache& cache, const PullOptions& options,
                                   const PullProgress& progress) {
    if (options.offline) return cache.find(reference);
    auto listing = ask_for_listing(reference, options);
    if (!listing.ok()) {
        // Denied or gone is an answer; a hub that does not answer is none.
        if (listing.status().code() != Code::io && listing.status().code() != Code::unsupported)
            return std::move(listing).status();
        auto cached = cache.find(reference);
        if (!cached.ok()) return std::move(listing).status();
        log(LogLevel::warning, cat(listing.status().message(), "; the cached model is used"));
        return cached;
    }
    INGLE_ASSIGN(const auto names, choose_files(reference, listing->names));
    for (const std::string& name : names)
        INGLE_TRY(fetch(reference, listing->commit, name, cache, options, progress));
    INGLE_TRY(cache.remember_commit(reference.repo, reference.revision, listing->commit));
    std::vector<fs::path> paths;
    for (const std::string& name : names) paths.push_back(cache.file(reference.repo, listing->commit, name));
    return paths;
}

}  // namespace ingle::hub
