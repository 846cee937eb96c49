// A model's file that becomes shorter while the model is in use: an error of that model, and of no other.
#include <gtest/gtest.h>

#include "engine/session.h"
#include "support/fixtures.h"

namespace ingle {

namespace {

std::unique_ptr<Session> open_session(const std::filesystem::path& path) {
    // The reference reads every weight through the mapping, in every step.
    auto model = Model::load(Runtime::make({.threads = 2, .reference = true}),
                             {.path = path, .progress = {}, .without_tokenizer = false});
    EXPECT_OK(model);
    if (!model.ok()) return nullptr;
    auto session = Session::open(*model, {});
    EXPECT_OK(session);
    return session.ok() ? std::move(*session) : nullptr;
}

TEST(CutFile, is_an_error_of_its_model_alone) {
    const auto bundled = test::source_dir() / "models" / "stories260K.gguf";
    const auto copy = std::filesystem::path(testing::TempDir()) / "cut.gguf";
    std::filesystem::copy_file(bundled, copy, std::filesystem::copy_options::overwrite_existing);
    const auto whole = open_session(bundled);
    const auto cut = open_session(copy);
    ASSERT_NE(whole, nullptr);
    ASSERT_NE(cut, nullptr);
    const Token tokens[] = {1, 300, 301};
    ASSERT_OK(cut->feed(tokens, {}));

    std::filesystem::resize_file(copy, 65536);
    const Status status = cut->feed(tokens, {});
    EXPECT_EQ(status.code(), Code::io);
    EXPECT_NE(status.message().find("cut.gguf' was cut while in use"), std::string::npos) << status.message();
    EXPECT_NE(status.message().find("now has 65536"), std::string::npos) << status.message();
    EXPECT_EQ(cut->length(), 3) << "the failed tokens are forgotten";
    EXPECT_OK(whole->feed(tokens, {}));
    std::filesystem::remove(copy);
}

}  // namespace

}  // namespace ingle
