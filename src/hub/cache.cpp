#include "hub/cache.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/file.h"
#include "base/platform.h"
#include "base/text.h"

namespace ingle::hub {

namespace {

constexpr std::string_view prefix = "models--";

fs::path environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

// "models--user--name" -> "user/name"
std::string repo_of(const std::string& folder) {
    if (!folder.starts_with(prefix)) return {};
    const std::string_view repo = std::string_view(folder).substr(prefix.size());
    const size_t at = repo.find("--");
    return at == repo.npos ? std::string() : cat(repo.substr(0, at), "/", repo.substr(at + 2));
}

std::vector<fs::path> inside(const fs::path& folder) {
    std::vector<fs::path> all;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        all.push_back(at->path());
    std::sort(all.begin(), all.end());
    return all;
}

Status io_failure(const fs::path& path, const std::error_code& error) {
    return fail(Code::io, path.string(), ": ", error.message());
}

}  // namespace

Cache Cache::of_environment() {
    if (const fs::path chosen = environment("HF_HUB_CACHE"); !chosen.empty()) return Cache(chosen);
    if (const fs::path home = environment("HF_HOME"); !home.empty()) return Cache(home / "hub");
    fs::path cache = environment("XDG_CACHE_HOME");
    if (cache.empty()) cache = environment("HOME") / ".cache";
    return Cache(cache / "huggingface" / "hub");
}

fs::path Cache::folder(const std::string& repo) const {
    std::string name(prefix);
    for (const char c : repo) name += c == '/' ? std::string("--") : std::string(1, c);
    return root_ / name;
}

std::string Cache::commit_of(const std::string& repo, const std::string& revision) const {
    auto text = read_file(folder(repo) / "refs" / revision, 200);
    if (text.ok()) {
        const std::string commit(trim(*text));
        return is_safe_path(commit) && commit.find('/') == commit.npos ? commit : std::string();
    }
    std::error_code ignored;
    return fs::is_directory(folder(repo) / "snapshots" / revision, ignored) ? revision : std::string();
}

Status Cache::remember_commit(const std::string& repo, const std::string& revision,
                              const std::string& commit) const {
    const fs::path path = folder(repo) / "refs" / revision;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) return io_failure(path.parent_path(), error);
    return write_file_atomically(path, std::as_bytes(std::span(commit)));
}

std::vector<std::string> Cache::names(const std::string& repo, const std::string& commit) const {
    const fs::path top = folder(repo) / "snapshots" / commit;
    std::vector<std::string> all;
    std::error_code error;
    for (fs::recursive_directory_iterator at(top, error), end; !error && at != end; at.increment(error))
        if (at->is_regular_file(error)) all.push_back(fs::relative(at->path().parent_path(), top).append(
            at->path().filename().string()).lexically_normal().generic_string());
    return all;
}

Status Cache::link(const std::string& repo, const std::string& commit, const std::string& name,
                   const std::string& etag) const {
    const fs::path path = file(repo, commit, name), target = blob(repo, etag);
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) return io_failure(path.parent_path(), error);
    if (fs::equivalent(path, target, error)) return {};
    // A name of our own first, so that the link is there whole or not at all.
    const fs::path fresh = path.string() + cat(".", platform::process_id(), ".new");
    fs::remove(fresh, error);
    fs::create_symlink(fs::proximate(target, path.parent_path()), fresh, error);
    if (error) fs::create_hard_link(target, fresh, error);
    if (!error) fs::rename(fresh, path, error);
    return error ? io_failure(path, error) : Status();
}

std::vector<std::string> Cache::commits(const std::string& repo) const {
    std::vector<std::string> all;
    for (const fs::path& path : inside(folder(repo) / "snapshots")) all.push_back(path.filename().string());
    return all;
}

Result<std::vector<fs::path>> Cache::find(const Reference& reference) const {
    const std::string commit = commit_of(reference.repo, reference.revision);
    if (commit.empty())
        return fail(Code::not_found, reference.repo, " at ", reference.revision, " is not in ", root_.string());
    INGLE_ASSIGN(const auto chosen, choose_files(reference, names(reference.repo, commit)));
    std::vector<fs::path> paths;
    for (const std::string& name : chosen) paths.push_back(file(reference.repo, commit, name));
    return paths;
}

std::vector<Cache::Entry> Cache::entries() const {
    std::vector<Entry> all;
    for (const fs::path& folder_path : inside(root_)) {
        const std::string repo = repo_of(folder_path.filename().string());
        if (repo.empty()) continue;
        for (const std::string& commit : commits(repo)) {
            for (const std::string& name : names(repo, commit)) {
                if (!name.ends_with(".gguf")) continue;
                std::error_code error;
                const fs::path path = file(repo, commit, name);
                Entry entry = {.repo = repo, .name = name, .commit = commit, .bytes = fs::file_size(path, error),
                               .written = {}};
                if (!error) entry.written = fs::last_write_time(path, error);
                if (!error) all.push_back(std::move(entry));
            }
        }
    }
    return all;
}

Result<uint64_t> Cache::remove(const Reference& reference) const {
    INGLE_ASSIGN(const auto paths, find(reference));
    std::set<fs::path> candidates;
    std::error_code error;
    for (const fs::path& path : paths) {
        candidates.insert(fs::canonical(path, error));
        fs::remove(path, error);
        if (error) return io_failure(path, error);
    }
    // Other snapshots may use the same bytes.
    for (const std::string& commit : commits(reference.repo))
        for (const std::string& name : names(reference.repo, commit))
            candidates.erase(fs::canonical(file(reference.repo, commit, name), error));
    uint64_t bytes = 0;
    for (const fs::path& blob : candidates) {
        const uint64_t size = fs::file_size(blob, error);
        if (!error && fs::remove(blob, error)) bytes += size;
    }
    bool empty = true;
    for (const std::string& commit : commits(reference.repo)) empty = empty && names(reference.repo, commit).empty();
    if (empty) fs::remove_all(folder(reference.repo), error);
    return bytes;
}

Status Cache::copy(const Reference& reference, const std::string& repo) const {
    std::error_code error;
    if (fs::exists(folder(repo), error)) return fail(Code::invalid_argument, repo, " is there already");
    Status status = copy_files(reference, repo);
    if (!status.ok()) fs::remove_all(folder(repo), error);  // no half copy, which would be in the way of the next
    return status;
}

Status Cache::copy_files(const Reference& reference, const std::string& repo) const {
    INGLE_ASSIGN(const auto paths, find(reference));
    const std::string commit = commit_of(reference.repo, reference.revision);
    const fs::path top = file(reference.repo, commit, "");
    std::error_code error;
    for (const fs::path& path : paths) {
        const fs::path from = fs::canonical(path, error);
        if (error) return io_failure(path, error);
        const std::string etag = from.filename().string();
        const fs::path to = blob(repo, etag);
        fs::create_directories(to.parent_path(), error);
        if (!error) fs::create_hard_link(from, to, error);
        if (error) fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
        if (error) return io_failure(to, error);
        INGLE_TRY(link(repo, commit, path.lexically_relative(top).generic_string(), etag));
    }
    return remember_commit(repo, "main", commit);
}

}  // namespace ingle::hub
