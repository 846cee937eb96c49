// What the reader of tokenizer.json makes of each part of a pipeline, and what it refuses.
#include "tokenizer/files/tokenizer_json.h"

#include "tokenizer/files/tokenizer_config.h"
#include "tokenizer/pre_tokenizer.h"
#include "tokenizer/support.h"

namespace ingle::test {
namespace {

using nlohmann::json;

const json byte_level = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", true}};
const json mute_byte_level = {
    {"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}};

json byte_bpe() {
    return {{"model",
             {{"type", "BPE"}, {"vocab", {{"a", 0}, {"b", 1}, {"ab", 2}}}, {"merges", {"a b"}}}},
            {"pre_tokenizer", byte_level}};
}

json escaped_bpe() {
    json file = byte_bpe();
    file["model"]["vocab"] = {{"\u2581", 0}, {"a", 1},        {"b", 2},
                              {"ab", 3},     {"\u2581ab", 4}, {"<unk>", 5}};
    file["model"]["merges"] =
        json::parse("[[\"a\", \"b\"], [\"\u2581\", \"ab\"], [\"a b\", \"c\"]]");
    file["model"]["unk_token"] = "<unk>";
    file["normalizer"] = {
        {"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "\u2581"}};
    file.erase("pre_tokenizer");
    return file;
}

json sequence(const char* key, std::initializer_list<json> steps) {
    return {{"type", "Sequence"}, {key, json::array_t(steps)}};
}

json cut(std::string_view regex, const char* behavior = "Isolated", bool invert = false) {
    return {{"type", "Split"},
            {"pattern", {{"Regex", regex}}},
            {"behavior", behavior},
            {"invert", invert}};
}

Result<Vocabulary> read(const json& file) { return vocabulary_from_tokenizer_json(file.dump()); }

void expect_refused(const json& file, std::string_view words, Code code) {
    const auto vocabulary = read(file);
    ASSERT_FALSE(vocabulary.ok());
    EXPECT_EQ(int(vocabulary.status().code()), int(code)) << vocabulary.status().message();
    EXPECT_NE(vocabulary.status().message().find(words), std::string::npos)
        << vocabulary.status().message();
}

TEST(TokenizerJson, every_rule_is_found_by_its_regular_expressions) {
    for (const pre::PreTokenizer* rule : pre::all_pre_tokenizers()) {
        json steps = json::array();
        std::vector<std::string_view> patterns;
        for (const pre::Step& step : rule->steps) {
            if (step.split == nullptr) break;
            steps.push_back(cut(step.pattern));
            patterns.push_back(step.pattern);
        }
        steps.push_back(mute_byte_level);
        json file = byte_bpe();
        file["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", steps}};
        file["model"]["ignore_merges"] = rule->ignore_merges;
        const auto vocabulary = read(file);
        ASSERT_OK(vocabulary);
        const auto found = pre::find_pre_tokenizer(vocabulary->pre);
        ASSERT_OK(found);
        // Some rules differ in their habits alone; the habit of whole words decides.
        EXPECT_EQ((*found)->ignore_merges, rule->ignore_merges) << rule->names;
        for (size_t i = 0; i < patterns.size(); ++i)
            EXPECT_EQ((*found)->steps[i].pattern, patterns[i]) << rule->names;
    }
}

TEST(TokenizerJson, steps_that_stand_for_regular_expressions_name_their_rules) {
    const auto rule_of = [](const json& steps) {
        json file = byte_bpe();
        file["pre_tokenizer"] = steps;
        const auto vocabulary = read(file);
        EXPECT_OK(vocabulary);
        return vocabulary.ok() ? vocabulary->pre : "";
    };
    const json digits = {{"type", "Digits"}, {"individual_digits", true}};
    const json numbers = {{"type", "Digits"}, {"individual_digits", false}};
    const json marks = {{"type", "Punctuation"}, {"behavior", "Contiguous"}};
    EXPECT_EQ(rule_of(byte_level), "gpt-2");
    EXPECT_EQ(rule_of(sequence("pretokenizers", {digits, byte_level})), "starcoder");
    EXPECT_EQ(
        rule_of(sequence("pretokenizers", {marks, byte_level, numbers, cut("[0-9][0-9][0-9]")})),
        "falcon");
    EXPECT_EQ(rule_of(sequence("pretokenizers",
                               {cut(R"( ?[^(\s|[.,!?…。，、।۔،])]+)"), mute_byte_level})),
              "bloom");
    // The matches are kept and what lies between them removed: the same words.
    const std::string qwen2 =
        R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+)"
        R"([\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
    EXPECT_EQ(rule_of(sequence("pretokenizers", {cut(qwen2, "Removed", true), mute_byte_level})),
              "qwen2");
    EXPECT_EQ(rule_of(sequence("pretokenizers",
                               {sequence("pretokenizers", {cut(qwen2)}), mute_byte_level})),
              "qwen2");
}

TEST(TokenizerJson, unknown_parts_are_refused_and_quoted) {
    json file = byte_bpe();
    file["pre_tokenizer"] = sequence("pretokenizers", {cut("[xyz]{7}"), mute_byte_level});
    expect_refused(file, "[xyz]{7}", Code::unsupported);
    file["pre_tokenizer"] =
        sequence("pretokenizers", {cut("x", "MergedWithNext"), mute_byte_level});
    expect_refused(file, "MergedWithNext", Code::unsupported);
    file["pre_tokenizer"] = mute_byte_level;
    expect_refused(file, "no regular expression", Code::unsupported);
    file["pre_tokenizer"] = sequence("pretokenizers", {{{"type", "UnicodeScripts"}}, byte_level});
    expect_refused(file, "UnicodeScripts", Code::unsupported);
    file = byte_bpe();
    file["normalizer"] = {{"type", "Lowercase"}};
    expect_refused(file, "normalizer 'Lowercase'", Code::unsupported);
    file = byte_bpe();
    file["post_processor"] = {{"type", "Strange"}};
    expect_refused(file, "Strange", Code::unsupported);
    file = byte_bpe();
    file["model"]["end_of_word_suffix"] = "</w>";
    expect_refused(file, "</w>", Code::unsupported);
    file["model"]["type"] = "WordLevel";
    expect_refused(file, "WordLevel", Code::unsupported);
    file = escaped_bpe();
    file["normalizer"]["content"] = "_";
    expect_refused(file, "Replace", Code::unsupported);
}

TEST(TokenizerJson, faults_are_told) {
    expect_refused(json::array(), "model", Code::corrupt);
    json file = byte_bpe();
    file["model"]["vocab"]["c"] = 1;
    expect_refused(file, "same id 1", Code::corrupt);
    file["model"]["vocab"]["c"] = 4'000'000'000u;
    expect_refused(file, "4000000000", Code::corrupt);
    file["model"]["vocab"]["c"] = "3";
    expect_refused(file, "expected an id", Code::corrupt);
    file = escaped_bpe();
    file["model"]["merges"] = {"ab"};
    expect_refused(file, "merge 0", Code::corrupt);
    file["model"]["merges"] = {{"a", "b", "c"}};
    expect_refused(file, "model.merges", Code::corrupt);
    file = byte_bpe();
    file["added_tokens"] = {{{"id", -1}, {"content", "<x>"}}};
    expect_refused(file, "<x>", Code::corrupt);
    const auto cut_off = vocabulary_from_tokenizer_json(R"({"model": {"type": "BPE", "vocab")");
    ASSERT_FALSE(cut_off.ok());
    EXPECT_NE(cut_off.status().message().find("byte"), std::string::npos)
        << cut_off.status().message();
}

TEST(TokenizerJson, deep_nesting_ends_in_an_error) {
    std::string lists(200'000, '[');
    EXPECT_FALSE(vocabulary_from_tokenizer_json(lists).ok());
    lists.append(200'000, ']');
    // Where a message would show what it found.
    const auto vocabulary = vocabulary_from_tokenizer_json(
        cat(R"({"model": {"type": "Unigram", "vocab": [)", lists, "]}}"));
    ASSERT_FALSE(vocabulary.ok());
    EXPECT_EQ(vocabulary.status().code(), Code::limit);
    std::string steps = R"({"type": "ByteLevel"})";
    for (int i = 0; i < 12; ++i)
        steps = cat(R"({"type": "Sequence", "pretokenizers": [)", steps, "]}");
    json file = byte_bpe();
    file["pre_tokenizer"] = json::parse(steps);
    expect_refused(file, "sequences", Code::limit);
}

TEST(TokenizerJson, merges_become_scores_and_plain_spaces_in_them_count_for_nothing) {
    const auto vocabulary = read(escaped_bpe());
    ASSERT_OK(vocabulary);
    EXPECT_EQ(vocabulary->model, "llama");
    EXPECT_EQ(vocabulary->merges, (std::vector<std::string>{"a b", "\u2581 ab"}));
    EXPECT_EQ(vocabulary->scores, (std::vector<float>{-3, -3, -3, 0, -1, 0}));
    EXPECT_EQ(vocabulary->add_space_prefix, false);
    EXPECT_EQ(vocabulary->special.unknown, 5);
    EXPECT_EQ(int(vocabulary->types[5]), int(TokenType::unknown));
}

TEST(TokenizerJson, metaspace_and_prepend_put_a_space_before_texts) {
    json file = escaped_bpe();
    file["normalizer"] =
        sequence("normalizers", {{{"type", "Prepend"}, {"prepend", "\u2581"}}, file["normalizer"]});
    EXPECT_EQ(read(file)->add_space_prefix, true);
    file.erase("normalizer");
    file["pre_tokenizer"] = {
        {"type", "Metaspace"}, {"replacement", "\u2581"}, {"prepend_scheme", "never"}};
    EXPECT_EQ(read(file)->add_space_prefix, false);
    file["pre_tokenizer"]["prepend_scheme"] = "first";
    EXPECT_EQ(read(file)->add_space_prefix, true);
}

TEST(TokenizerJson, post_processors_say_what_stands_around_a_text) {
    json file = byte_bpe();
    file["added_tokens"] = {{{"id", 5}, {"content", "<s>"}, {"special", true}},
                            {{"id", 4}, {"content", "</s>"}, {"special", true}, {"lstrip", true}}};
    auto vocabulary = read(file);
    ASSERT_OK(vocabulary);
    EXPECT_EQ(vocabulary->add_bos, false);
    EXPECT_EQ(vocabulary->tokens[3], "[PAD3]");
    EXPECT_EQ(int(vocabulary->types[3]), int(TokenType::unused));
    EXPECT_EQ(vocabulary->added_flags, (std::vector<uint8_t>{0, 0, 0, 0, strip_left, 0}));
    file["post_processor"] = {
        {"type", "TemplateProcessing"},
        {"single", {{{"SpecialToken", {{"id", "<s>"}}}}, {{"Sequence", {{"id", "A"}}}}}},
        {"special_tokens", {{"<s>", {{"ids", {5}}}}}}};
    file["post_processor"] =
        sequence("processors", {{{"type", "ByteLevel"}}, file["post_processor"]});
    vocabulary = read(file);
    ASSERT_OK(vocabulary);
    EXPECT_EQ(vocabulary->add_bos, true);
    EXPECT_EQ(vocabulary->add_eos, false);
    EXPECT_EQ(vocabulary->special.bos, 5);
    file["post_processor"] = {
        {"type", "RobertaProcessing"}, {"cls", {"<s>", 5}}, {"sep", {"</s>", 4}}};
    vocabulary = read(file);
    ASSERT_OK(vocabulary);
    EXPECT_EQ(vocabulary->special.bos, 5);
    EXPECT_EQ(vocabulary->special.eos, 4);
    EXPECT_EQ(vocabulary->add_eos, true);
}

TEST(TokenizerConfig, names_roles_flags_and_the_template) {
    auto vocabulary = read(byte_bpe());
    ASSERT_OK(vocabulary);
    const json config = {
        {"bos_token", {{"content", "<s>"}}},
        {"eos_token", "b"},
        {"pad_token", nullptr},
        {"add_bos_token", true},
        {"added_tokens_decoder",
         {{"4", {{"content", "<s>"}, {"special", true}, {"rstrip", true}}}}},
        {"chat_template",
         {{{"name", "tool_use"}, {"template", "T"}}, {{"name", "default"}, {"template", "D"}}}}};
    ASSERT_OK(apply_tokenizer_config(config.dump(), *vocabulary));
    EXPECT_EQ(vocabulary->special.bos, 4);
    EXPECT_EQ(vocabulary->special.eos, 1);
    EXPECT_EQ(vocabulary->special.padding, no_token);
    EXPECT_EQ(vocabulary->add_bos, true);
    EXPECT_EQ(vocabulary->tokens[3], "[PAD3]");
    EXPECT_EQ(vocabulary->added_flags[4], strip_right);
    EXPECT_EQ(vocabulary->chat_template, "D");
}

TEST(TokenizerConfig, an_end_of_text_beside_the_one_of_the_template_ends_answers_too) {
    auto vocabulary = read(byte_bpe());
    ASSERT_OK(vocabulary);
    vocabulary->special.eos = 0;
    vocabulary->add_eos = true;
    ASSERT_OK(apply_tokenizer_config(R"({"eos_token": "b"})", *vocabulary));
    EXPECT_EQ(vocabulary->special.eos, 0);
    EXPECT_EQ(vocabulary->end_of_generation, std::vector<Token>{1});
}

TEST(TokenizerConfig, added_tokens_need_sane_ids) {
    auto vocabulary = read(byte_bpe());
    ASSERT_OK(vocabulary);
    ASSERT_OK(apply_added_tokens(R"({"<x>": 3, "a": 0})", *vocabulary));
    EXPECT_EQ(vocabulary->tokens[3], "<x>");
    EXPECT_EQ(int(vocabulary->types[0]), int(TokenType::normal));
    EXPECT_FALSE(apply_added_tokens(R"({"<y>": -3})", *vocabulary).ok());
    EXPECT_FALSE(apply_added_tokens(R"({"<y>": 99999999999})", *vocabulary).ok());
    EXPECT_FALSE(apply_added_tokens("[1]", *vocabulary).ok());
    EXPECT_FALSE(
        apply_tokenizer_config(R"({"added_tokens_decoder": {"x": {"content": "y"}}})", *vocabulary)
            .ok());
}

}  // namespace
}  // namespace ingle::test
