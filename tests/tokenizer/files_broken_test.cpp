// Tokenizer files that are cut, altered or something else: an error that says so, never a crash.
#include <fstream>

#include "base/file.h"
#include "base/random.h"
#include "tokenizer/files/kind.h"
#include "tokenizer/files/read_vocabulary.h"
#include "tokenizer/files/sentencepiece.h"
#include "tokenizer/files/vocabulary_files.h"
#include "tokenizer/support.h"

namespace ingle::test {
namespace {

using std::filesystem::path;

// A folder that is gone after the test.
class Folder {
  public:
    Folder() {
        path_ = std::filesystem::temp_directory_path() /
                cat("ingle-files-", testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }

    path write(std::string_view name, std::string_view bytes) const {
        EXPECT_OK(write_file_atomically(path_ / name, std::as_bytes(std::span(bytes))));
        return path_ / name;
    }
    const path& operator*() const { return path_; }

  private:
    path path_;
};

// Reads and, where that works, encodes with what came out.
void use(const files::Kind& kind, std::string_view bytes, const path& place) {
    auto vocabulary = kind.read(bytes, place);
    if (!vocabulary.ok()) {
        EXPECT_FALSE(vocabulary.status().message().empty());
        return;
    }
    if (vocabulary->pre.empty()) vocabulary->pre = "default";  // instead of a warning each time
    const auto tokenizer = Tokenizer::make(std::move(*vocabulary));
    if (tokenizer.ok())
        (void)(*tokenizer)->decode((*tokenizer)->encode("Hello, <s> w\u00f6rld\xff 123"));
}

std::string mutated(std::string bytes, Random& random) {
    const auto place = [&] { return size_t(random.below(uint32_t(bytes.size()))); };
    for (uint64_t i = 0, count = 1 + random.below(4); i < count && !bytes.empty(); ++i) {
        const uint64_t what = random.below(4);
        if (what == 0) bytes.resize(place());
        else if (what == 1) bytes[place()] = char(random.below(256));
        else if (what == 2) bytes.erase(place(), 1 + random.below(20));
        else bytes.insert(place(), bytes.substr(place(), 1 + random.below(20)));
    }
    return bytes;
}

// Small files of every kind: those of the fixtures, or their first entries.
std::vector<path> samples(const Folder& folder) {
    const path fixture = fixtures();
    const auto head = [&](const char* name, const path& source, size_t bytes) {
        return folder.write(name, std::string_view(bytes_of(source)).substr(0, bytes));
    };
    std::vector<path> all = {
        fixture / "tokenizers/mini_llama/tokenizer.json",
        fixture / "tokenizers/added-tokens/tokenizer.json",
        fixture / "arch/bert/tokenizer.json",
        fixture / "arch/gemma4/tokenizer.json",
        fixture / "arch/gemma/tokenizer.model",
        fixture / "arch/bert/vocab.txt",
        fixture / "models/tok512.bin",
        head("r.txt", fixture / "tokenizers/rwkv/rwkv_vocab_v20230424.txt", 8000),
        head("c.tiktoken", fixture / "tokenizers/tiktoken/cl100k_base.tiktoken", 8000)};
    all.push_back(folder.write("vocab.json", R"({"a": 0, "b": 1, "ab": 2, "<|endoftext|>": 3})"));
    folder.write("merges.txt", "#version: 0.2\na b\n");
    return all;
}

const files::Kind* kind_of(std::string_view bytes) {
    for (const files::Kind* kind : files::all_kinds())
        if (kind->recognises(bytes)) return kind;
    return nullptr;
}

TEST(BrokenFiles, cut_anywhere_they_do_no_harm) {
    INGLE_NEEDS(fixtures() / "tokenizers");
    const Folder folder;
    for (const path& sample : samples(folder)) {
        const std::string bytes = bytes_of(sample);
        const files::Kind* kind = kind_of(bytes);
        ASSERT_NE(kind, nullptr) << sample;
        const size_t step = std::max<size_t>(bytes.size() / 100, 1);
        for (size_t size = 0; size < bytes.size(); size += step)
            use(*kind, std::string_view(bytes).substr(0, size), sample);
    }
}

TEST(BrokenFiles, altered_they_do_no_harm) {
    INGLE_NEEDS(fixtures() / "tokenizers");
    const Folder folder;
    Random random(7);
    for (const path& sample : samples(folder)) {
        const std::string bytes = bytes_of(sample);
        const files::Kind* kind = kind_of(bytes);
        ASSERT_NE(kind, nullptr) << sample;
        for (int round = 0; round < 150; ++round) {
            const std::string broken = mutated(bytes, random);
            use(*kind, broken, sample);
            for (const files::Kind* other : files::all_kinds()) (void)other->recognises(broken);
        }
    }
}

TEST(BrokenFiles, merge_lists_name_the_faulty_line) {
    const std::string vocab = R"({"a": 0, "b": 1, "ab": 2})";
    for (const char* line : {"ab", "a b ab", "a "}) {
        const auto vocabulary =
            vocabulary_from_merge_lists(vocab, cat("#version: 0.2\na b\n", line, "\n"));
        ASSERT_FALSE(vocabulary.ok()) << line;
        EXPECT_NE(vocabulary.status().message().find("line 3"), std::string::npos)
            << vocabulary.status().message();
    }
    EXPECT_FALSE(vocabulary_from_merge_lists("[]", "").ok());
    EXPECT_FALSE(vocabulary_from_merge_lists(R"({"a": 5000000})", "").ok());
}

TEST(BrokenFiles, rank_lists_name_the_faulty_line) {
    for (const char* line :
         {"YQ==", "Y!== 1", "YQ== x", "YQ== -1", "YQ== 99999999", "YQ== 0", "Y 1", "== 1"}) {
        const auto vocabulary = vocabulary_from_tiktoken(cat("Yg== 0\n", line, "\n"));
        ASSERT_FALSE(vocabulary.ok()) << line;
        EXPECT_NE(vocabulary.status().message().find("line 2"), std::string::npos)
            << vocabulary.status().message();
    }
}

TEST(BrokenFiles, rwkv_lists_name_the_faulty_line) {
    for (const char* line : {"2 x 1", "2 'x 1", "2 'x' 2", "x 'x' 1", "2 b'\\xg0' 1", "2 'x'y' 3",
                             "2 '' 0", "1 'x' 1"}) {
        const auto vocabulary = vocabulary_from_rwkv(cat("1 'a' 1\n", line, "\n"));
        ASSERT_FALSE(vocabulary.ok()) << line;
        EXPECT_NE(vocabulary.status().message().find(cat(line[0] == '1' ? "same id" : "line 2")),
                  std::string::npos)
            << vocabulary.status().message();
    }
}

TEST(BrokenFiles, sentencepiece_models_of_other_types_are_named) {
    // One piece "a", then trainer settings with a model type.
    const auto of_type = [](char type) {
        return vocabulary_from_sentencepiece(std::string("\x0a\x03\x0a\x01"
                                                         "a\x12\x02\x18",
                                                         8) +
                                             type);
    };
    ASSERT_OK(of_type(1));
    EXPECT_EQ(of_type(1)->model, "t5");
    EXPECT_EQ(of_type(2)->model, "llama");
    EXPECT_NE(of_type(3).status().message().find("word"), std::string::npos);
    EXPECT_NE(of_type(4).status().message().find("character"), std::string::npos);
    EXPECT_FALSE(of_type(9).ok());
    // A piece that claims more bytes than there are.
    EXPECT_FALSE(
        vocabulary_from_sentencepiece(std::string_view("\x0a\xff\xff\xff\xff\x0f", 6)).ok());
    EXPECT_FALSE(vocabulary_from_sentencepiece("").ok());
}

TEST(BrokenFiles, a_folder_or_file_without_a_vocabulary_lists_what_would_do) {
    const Folder folder;
    folder.write("readme.md", "nothing");
    for (const path& place : {*folder, *folder / "readme.md"}) {
        const auto vocabulary = read_vocabulary(place);
        ASSERT_FALSE(vocabulary.ok());
        EXPECT_NE(vocabulary.status().message().find("tokenizer.json"), std::string::npos);
        EXPECT_NE(vocabulary.status().message().find("SentencePiece"), std::string::npos);
    }
    EXPECT_FALSE(read_vocabulary(*folder / "missing").ok());
    // A name that promises a kind gets that reader's complaint.
    const auto vocabulary =
        read_vocabulary(folder.write("tokenizer.json", R"({"version": "1.0", "mod)"));
    ASSERT_FALSE(vocabulary.ok());
    EXPECT_NE(vocabulary.status().message().find("expected JSON"), std::string::npos)
        << vocabulary.status().message();
}

TEST(BrokenFiles, what_stands_beside_a_vocabulary_is_applied_and_its_faults_are_named) {
    const Folder folder;
    folder.write("vocab.json", R"({"a": 0, "b": 1, "ab": 2, "model": 3})");
    folder.write("merges.txt", "a b\n");
    folder.write("added_tokens.json", R"({"<x>": 4})");
    folder.write("tokenizer_config.json", R"({"eos_token": "<x>"})");
    folder.write("chat_template.jinja", "{{ x }}");
    const auto vocabulary = read_vocabulary(*folder);
    ASSERT_OK(vocabulary);
    EXPECT_EQ(vocabulary->special.eos, 4);
    EXPECT_EQ(vocabulary->chat_template, "{{ x }}");
    folder.write("tokenizer_config.json", "{");
    const auto broken = read_vocabulary(*folder);
    ASSERT_FALSE(broken.ok());
    EXPECT_NE(broken.status().message().find("tokenizer_config.json"), std::string::npos);
}

}  // namespace
}  // namespace ingle::test
