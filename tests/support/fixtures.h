// Where tests find their data. Missing data skips a test with a clear line, except under CI=true, where it fails.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace ingle::test {

// $INGLE_FIXTURES, or ../shared/fixtures beside the repository.
std::filesystem::path fixtures();
std::filesystem::path source_dir();
std::filesystem::path binary_dir();

// The real models (SmolLM2-135M, Gemma-3-270m) in $INGLE_MODELS, by default the user's cache folder;
// empty if that file is not there.
std::filesystem::path real_model(const std::string& file_name);

// A file's bytes; fails the test if it cannot be read.
std::string bytes_of(const std::filesystem::path& path);

template <class T>
std::vector<T> array_of(const std::filesystem::path& path) {
    const std::string bytes = bytes_of(path);
    std::vector<T> values(bytes.size() / sizeof(T));
    std::copy_n(bytes.data(), values.size() * sizeof(T), reinterpret_cast<char*>(values.data()));
    return values;
}

// True if the missing file must count as a failure.
bool must_not_skip();

}  // namespace ingle::test

// Leaves the test if `path` does not exist: a skip, or under CI a failure.
#define INGLE_NEEDS(path)                                                                   \
    do {                                                                                    \
        if (!std::filesystem::exists(path)) {                                               \
            if (::ingle::test::must_not_skip()) FAIL() << "test data is missing: " << path; \
            GTEST_SKIP() << "test data is missing: " << path;                               \
        }                                                                                   \
    } while (false)

// Succeeds if the Status or Result is ok; shows its message otherwise.
#define ASSERT_OK(expression)                                               \
    do {                                                                    \
        const auto& ingle_checked_ = (expression);                          \
        ASSERT_TRUE(ingle_checked_.ok()) << ::ingle::test::why(ingle_checked_); \
    } while (false)
#define EXPECT_OK(expression)                                               \
    do {                                                                    \
        const auto& ingle_checked_ = (expression);                          \
        EXPECT_TRUE(ingle_checked_.ok()) << ::ingle::test::why(ingle_checked_); \
    } while (false)

#include "base/status.h"

namespace ingle::test {
inline std::string why(const Status& status) { return status.message(); }
template <class T>
std::string why(const Result<T>& result) {
    return result.ok() ? "" : result.status().message();
}
}  // namespace ingle::test
