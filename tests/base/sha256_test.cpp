#include "base/sha256.h"

#include <gtest/gtest.h>

#include <string_view>

namespace ingle {

namespace {

std::string digest(std::string_view text, size_t step) {
    Sha256 hash;
    for (size_t at = 0; at < text.size(); at += step)
        hash.update(std::as_bytes(std::span(text.substr(at, step))));
    return hash.finish();
}

TEST(Sha256, gives_the_published_digests) {
    EXPECT_EQ(digest("", 1), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(digest("abc", 1), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 7),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(digest(std::string(1000000, 'a'), 1000),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, pieces_do_not_matter) {
    for (const size_t length : {55, 56, 63, 64, 65, 119, 120, 128, 300}) {
        const std::string text(length, 'x');
        for (const size_t step : {1, 3, 63, 64, 65}) EXPECT_EQ(digest(text, step), digest(text, 1000));
    }
}

}  // namespace

}  // namespace ingle
