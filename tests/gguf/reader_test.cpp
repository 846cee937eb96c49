#include "gguf/reader.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/platform.h"
#include "support/fixtures.h"
#include "support/gguf_bytes.h"
#include "support/stopwatch.h"

namespace ingle::gguf {

namespace {

namespace fs = std::filesystem;
using test::GgufBytes;

std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

fs::path scratch(const std::string& name) {
    const fs::path folder = test::binary_dir() / "scratch" / "gguf_reader" /
                            testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::create_directories(folder);
    return folder / name;
}

fs::path stories() {
    return test::fixtures() / "models" / "stories260K.gguf";
}

}  // namespace

TEST(Reader, the_trained_story_model_holds_the_weights_of_its_source) {
    INGLE_NEEDS(stories());
    const auto file = File::open(stories());
    ASSERT_OK(file);
    EXPECT_EQ(file->metadata().text("general.architecture"), "llama");
    EXPECT_EQ(*file->get<uint32_t>("llama.block_count"), 5u);
    EXPECT_EQ(*file->get<uint32_t>("llama.embedding_length"), 64u);
    EXPECT_EQ(*file->get<uint32_t>("llama.attention.head_count"), 8u);
    EXPECT_EQ(file->get<std::span<const std::string_view>>("tokenizer.ggml.tokens")->size(), 512u);
    ASSERT_EQ(file->tensors().size(), 48u);

    // The same weights in llama2.c's own format: each tensor is a run of its bytes.
    const std::string source = test::bytes_of(test::fixtures() / "models" / "stories260K.bin");
    for (const TensorInfo& tensor : file->tensors())
        EXPECT_NE(source.find(text_of(file->bytes(tensor))), std::string::npos) << tensor.name;
    const TensorInfo* const embedding = file->find_tensor("token_embd.weight");
    ASSERT_NE(embedding, nullptr);
    EXPECT_EQ(embedding->dims, (std::array<uint64_t, 4>{64, 512, 1, 1}));
    EXPECT_EQ(source.find(text_of(file->bytes(*embedding))), 28u);
    EXPECT_EQ(file->find_tensor("no.such.tensor"), nullptr);
}

TEST(Reader, reading_gives_the_bytes_of_the_mapping) {
    INGLE_NEEDS(stories());
    const auto mapped = File::open(stories());
    ASSERT_OK(mapped);
    const std::string content = test::bytes_of(stories());
    const auto parsed = File::parse(std::as_bytes(std::span(content)));
    ASSERT_OK(parsed);
    for (const File* file : {&*mapped, &*parsed}) {
        for (const TensorInfo& tensor : file->tensors()) {
            std::string out(tensor.bytes, '\0');
            ASSERT_OK(file->read(tensor, 0, std::as_writable_bytes(std::span(out))));
            EXPECT_EQ(out, text_of(mapped->bytes(tensor)));
            file->drop_pages(tensor);
            EXPECT_EQ(out, text_of(file->bytes(tensor)));
        }
        std::string out(8, '\0');
        const auto writable = std::as_writable_bytes(std::span(out));
        const TensorInfo& last = file->tensors().back();
        ASSERT_OK(file->read(last, last.bytes - 8, writable));
        EXPECT_EQ(out, text_of(file->bytes(last).last(8)));
        EXPECT_FALSE(file->read(last, last.bytes - 7, writable).ok());
        EXPECT_FALSE(file->read(last, UINT64_MAX, writable).ok());
    }
    EXPECT_EQ(mapped->total_bytes(), content.size());
    EXPECT_EQ(mapped->shard(0)->path(), stories());
    EXPECT_EQ(parsed->shard(0), nullptr);
}

TEST(Reader, every_value_type_is_read) {
    GgufBytes bytes(0, 14);
    bytes.key("u8", 0).u8(200).key("i8", 1).u8(0xff).key("u16", 2).raw("\x01\x02");
    bytes.key("i16", 3).raw("\xfe\xff").key("u32", 4).u32(7).key("i32", 5).u32(uint32_t(-7));
    bytes.key("f32", 6).u32(0x3f800000).key("bool", 7).u8(1).key("string", 8).text("hi");
    bytes.key("u64", 10).u64(1ull << 63).key("i64", 11).u64(~0ull);
    bytes.key("f64", 12).u64(0x4000000000000000);
    bytes.array("strings", 8, 2).text("a").text("");
    bytes.array("nested", 9, 2).u32(4).u64(1).u32(5).u32(0).u64(2).u8(1).u8(2);
    const auto file = File::parse(bytes.span());
    ASSERT_OK(file);
    EXPECT_EQ(*file->find("u8"), Value(uint8_t(200)));
    EXPECT_EQ(*file->find("i8"), Value(int8_t(-1)));
    EXPECT_EQ(*file->find("u16"), Value(uint16_t(0x201)));
    EXPECT_EQ(*file->find("i16"), Value(int16_t(-2)));
    EXPECT_EQ(*file->find("u32"), Value(uint32_t(7)));
    EXPECT_EQ(*file->find("i32"), Value(int32_t(-7)));
    EXPECT_EQ(*file->find("f32"), Value(1.0f));
    EXPECT_EQ(*file->find("bool"), Value(true));
    EXPECT_EQ(*file->find("string"), Value(std::string("hi")));
    EXPECT_EQ(*file->find("u64"), Value(uint64_t(1) << 63));
    EXPECT_EQ(*file->find("i64"), Value(int64_t(-1)));
    EXPECT_EQ(*file->find("f64"), Value(2.0));
    const std::vector<std::string> words = {"a", ""};
    EXPECT_EQ(*file->find("strings"), Value(Array{Strings::copy_of(words)}));
    const Array nested{
        std::vector<Array>{{std::vector<uint32_t>{5}}, {std::vector<uint8_t>{1, 2}}}};
    EXPECT_EQ(*file->find("nested"), Value(nested));
}

TEST(Reader, every_array_type_is_read) {
    GgufBytes bytes(0, 13);
    for (uint32_t type = 0; type < 13; ++type) bytes.array(cat("empty ", type), type, 0);
    const auto file = File::parse(bytes.span());
    ASSERT_OK(file);
    for (uint32_t type = 0; type < 13; ++type) {
        const auto& array = std::get<Array>(*file->find(cat("empty ", type)));
        EXPECT_EQ(array.element_type(), ValueType(type));
        EXPECT_EQ(array.size(), 0u);
    }
}

TEST(Reader, a_scalar_tensor_holds_one_element) {
    const auto bytes = GgufBytes(1, 0).tensor("scale", {}, 0, 0).align().u32(0x40000000);
    const auto file = File::parse(bytes.span());
    ASSERT_OK(file);
    EXPECT_EQ(file->tensors()[0].bytes, 4u);
    EXPECT_EQ(file->tensors()[0].elements(), 1u);
}

TEST(Reader, another_alignment_is_followed) {
    GgufBytes bytes(2, 1);
    bytes.key("general.alignment", 4).u32(8).tensor("a", {3}, 0, 0).tensor("b", {1}, 0, 16);
    bytes.align(8).raw("aaaabbbbcccc----dddd");
    const auto file = File::parse(bytes.span());
    ASSERT_OK(file);
    EXPECT_EQ(file->alignment(), 8u);
    EXPECT_EQ(text_of(file->bytes(*file->find_tensor("b"))), "dddd");
}

TEST(Reader, values_outlive_the_file_that_they_were_read_from) {
    INGLE_NEEDS(stories());
    Metadata metadata;
    {
        const auto file = File::open(stories());
        ASSERT_OK(file);
        metadata = file->metadata();
    }
    const auto tokens = metadata.get<std::span<const std::string_view>>("tokenizer.ggml.tokens");
    ASSERT_OK(tokens);
    EXPECT_EQ((*tokens)[2], "</s>");
}

TEST(Reader, a_vocabulary_of_256_thousand_tokens_opens_in_a_blink) {
    constexpr uint32_t count = 256 * 1024;
    GgufBytes bytes(0, 3);
    bytes.array("tokenizer.ggml.tokens", 8, count);
    for (uint32_t i = 0; i < count; ++i) bytes.text(cat("token", i));
    bytes.array("tokenizer.ggml.scores", 6, count).zeros(4 * count);
    bytes.array("tokenizer.ggml.token_type", 5, count).zeros(4 * count);
    const Stopwatch stopwatch;
    const auto file = File::parse(bytes.span());
    const double seconds = stopwatch.seconds();
    ASSERT_OK(file);
    EXPECT_LT(seconds, 0.1);  // some milliseconds
    const auto tokens = file->get<std::span<const std::string_view>>("tokenizer.ggml.tokens");
    EXPECT_EQ((*tokens)[count - 1], "token262143");
}

TEST(Reader, opening_touches_no_tensor_data) {
    // A sparse file that declares 1 TiB of weights: reading them would take minutes.
    const auto path = scratch("sparse.gguf");
    const auto bytes = GgufBytes(1, 0).tensor("huge", {1ull << 20, 1ull << 18}, 0, 0).align();
    std::ofstream(path, std::ios::binary) << bytes.str();
    std::error_code error;
    fs::resize_file(path, bytes.str().size() + (1ull << 40), error);
    if (error) GTEST_SKIP() << "no sparse file of 1 TiB here: " << error.message();
    const uint64_t before = platform::resident_bytes();
    const auto file = File::open(path);
    fs::remove(path);
    ASSERT_OK(file);
    EXPECT_EQ(file->bytes(file->tensors()[0]).size(), 1ull << 40);
    EXPECT_LT(platform::resident_bytes(), before + (2u << 20));
}

TEST(Reader, the_path_is_part_of_a_failure) {
    const auto path = scratch("short.gguf");
    std::ofstream(path, std::ios::binary) << "GGUF";
    EXPECT_EQ(File::open(path).status().message(),
              cat(quoted(path.string(), 4096),
                  ": truncated file: expected 4 bytes for the version at byte 4, found 0"));
    EXPECT_EQ(File::open(scratch("missing.gguf")).status().code(), Code::not_found);
    EXPECT_FALSE(File::open(path.parent_path()).ok());
    std::ofstream(path, std::ios::binary) << "";
    EXPECT_FALSE(File::open(path).ok());
}

}  // namespace ingle::gguf
