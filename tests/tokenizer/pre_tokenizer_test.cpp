// The hand-written splitters against the regular expressions that they stand for, as the Python
// package `regex` reads them (data/splits.json, written by tools/pretokenizer_vectors.py).
#include "tokenizer/pre_tokenizer.h"

#include <set>
#include <sstream>

#include "base/random.h"
#include "base/utf8.h"
#include "tokenizer/support.h"

namespace ingle::test {
namespace {

using pre::PreTokenizer;

// The stem of the file that an entry is in, as splits.json names it, by its first name.
const PreTokenizer* entry_of(const std::string& stem) {
    static const std::map<std::string, std::string> first_names = {
        {"afmoe", "afmoe"},
        {"bailing", "bailingmoe"},
        {"bloom", "bloom"},
        {"chameleon", "chameleon"},
        {"chatglm4", "glm4"},
        {"deepseek_coder", "deepseek-coder"},
        {"deepseek_llm", "deepseek-llm"},
        {"deepseek_v3", "deepseek-v3"},
        {"default_rule", "default"},
        {"exaone_moe", "exaone-moe"},
        {"falcon", "falcon"},
        {"gpt2", "gpt-2"},
        {"gpt4o", "gpt-4o"},
        {"jais2", "jais-2"},
        {"kimi_k2", "kimi-k2"},
        {"llama3", "llama3"},
        {"qwen2", "qwen2"},
        {"qwen35", "qwen35"},
        {"seed_coder", "seed-coder"},
        {"starcoder", "starcoder"},
        {"superbpe", "superbpe"},
        {"tekken", "tekken"},
        {"tiny_aya", "tiny_aya"},
        {"viking", "viking"},
        {"youtu", "youtu"}};
    const auto found = pre::find_pre_tokenizer(first_names.at(stem));
    return found.ok() ? *found : nullptr;
}

std::string lengths_of(const PreTokenizer& entry, std::string_view text) {
    std::string lengths;
    size_t begin = 0;
    for (const size_t end : entry.split(text)) {
        size_t characters = 0;
        for (size_t at = begin; at < end; at += size_t(utf8::decode(text.substr(at)).length))
            ++characters;
        lengths += cat(begin == 0 ? "" : " ", characters);
        begin = end;
    }
    return lengths;
}

TEST(PreTokenizers, cut_texts_where_their_regular_expressions_do) {
    const auto data = json_of(source_dir() / "tests/tokenizer/data/splits.json");
    ASSERT_FALSE(data.is_discarded());
    EXPECT_EQ(data["splits"].size(), pre::all_pre_tokenizers().size());
    for (const auto& [stem, splits] : data["splits"].items()) {
        const PreTokenizer* const entry = entry_of(stem);
        ASSERT_TRUE(entry) << stem;
        for (size_t i = 0; i < splits.size(); ++i) {
            const std::string text = data["texts"][i];
            EXPECT_EQ(lengths_of(*entry, text), splits[i].get<std::string>())
                << stem << ": " << text;
        }
    }
}

TEST(PreTokenizers, words_cover_any_bytes_without_gaps) {
    Random random(7);
    for (const PreTokenizer* entry : pre::all_pre_tokenizers())
        for (int round = 0; round < 200; ++round) {
            std::string text(random.below(60), ' ');
            for (char& byte : text) byte = char(random.below(round % 2 == 0 ? 256 : 128));
            size_t last = 0;
            for (const size_t end : entry->split(text)) {
                ASSERT_GT(end, last) << entry->names;
                last = end;
            }
            ASSERT_EQ(last, text.size()) << entry->names;
        }
}

TEST(PreTokenizers, each_name_belongs_to_one_rule) {
    std::set<std::string_view> seen;
    for (const PreTokenizer* entry : pre::all_pre_tokenizers())
        for (const std::string_view name : split(entry->names, ' ')) {
            EXPECT_TRUE(seen.insert(name).second) << name;
            const auto found = pre::find_pre_tokenizer(name);
            ASSERT_OK(found);
            EXPECT_EQ(*found, entry);
        }
    EXPECT_GE(seen.size(), 70u);
}

TEST(PreTokenizers, an_unknown_name_is_refused_with_near_names) {
    const auto found = pre::find_pre_tokenizer("qwen25");
    ASSERT_FALSE(found.ok());
    EXPECT_EQ(found.status().code(), Code::unsupported);
    EXPECT_NE(found.status().message().find("qwen25"), std::string::npos);
    EXPECT_NE(found.status().message().find("qwen2"), std::string::npos);
}

TEST(PreTokenizers, a_rule_is_found_by_the_regular_expression_of_tokenizer_json) {
    constexpr std::string_view llama3 =
        R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?)"
        R"([^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
    const PreTokenizer* const entry = pre::find_pre_tokenizer(std::span(&llama3, 1));
    ASSERT_TRUE(entry);
    EXPECT_EQ(entry->steps[0].pattern, llama3);
    constexpr std::string_view unknown = "[a-c]+";
    EXPECT_EQ(pre::find_pre_tokenizer(std::span(&unknown, 1)), nullptr);
}

}  // namespace
}  // namespace ingle::test
