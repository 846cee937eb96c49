#include "support/fixtures.h"

#include <cstdlib>

#include "base/file.h"

namespace ingle::test {

namespace {

std::filesystem::path environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

}  // namespace

std::filesystem::path source_dir() { return INGLE_SOURCE_DIR; }
std::filesystem::path binary_dir() { return INGLE_BINARY_DIR; }

std::filesystem::path fixtures() {
    const auto chosen = environment("INGLE_FIXTURES");
    return chosen.empty() ? source_dir().parent_path() / "shared" / "fixtures" : chosen;
}

std::filesystem::path real_model(const std::string& file_name) {
    std::filesystem::path folder = environment("INGLE_MODELS");
    if (folder.empty()) {
        const auto cache = environment("XDG_CACHE_HOME");
        folder = (cache.empty() ? environment("HOME") / ".cache" : cache) / "ingle" / "models";
    }
    const auto path = folder / file_name;
    return std::filesystem::exists(path) ? path : std::filesystem::path();
}

std::string bytes_of(const std::filesystem::path& path) {
    auto content = read_file(path);
    EXPECT_TRUE(content.ok()) << why(content);
    return content.ok() ? std::move(*content) : std::string();
}

bool must_not_skip() { return environment("CI") == "true"; }

}  // namespace ingle::test
