// Masks: equal to trying every token, on real vocabularies; fast; triggers; tokens named by grammars.
#include "grammar/token_mask.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/random.h"
#include "engine/grammar_mask.h"
#include "gguf/reader.h"
#include "support/fixtures.h"
#include "tokenizer/gguf_vocabulary.h"

namespace ingle::grammar {
namespace {

std::unique_ptr<const Tokenizer> tokenizer_named(const std::string& stem) {
    const auto path = test::fixtures() / "vocab" / ("ggml-vocab-" + stem + ".gguf");
    auto file = gguf::File::open(path);
    EXPECT_OK(file);
    auto vocabulary = vocabulary_from(*file);
    EXPECT_OK(vocabulary);
    auto tokenizer = Tokenizer::make(std::move(*vocabulary));
    EXPECT_OK(tokenizer);
    return std::move(*tokenizer);
}

bool allows(std::span<const uint64_t> bits, uint32_t token) {
    return token / 64 < bits.size() && (bits[token / 64] >> (token % 64) & 1) != 0;
}

constexpr char person[] = R"({"type":"object","properties":{"name":{"type":"string","maxLength":12},
 "age":{"type":"integer","minimum":0,"maximum":150},"tags":{"type":"array","items":{"enum":["a\"b","naïve","日本"]}}},
 "required":["name","age"]})";
constexpr char nested[] = R"(root ::= value
value ::= "[" (value ("," " "? value)*)? "]" | "\"" [^"\\]* "\"" | [0-9]+ | word
word ::= letter letter*
letter ::= [a-zé])";

// Every token of the mask, and no other, can be taken; walks on by random tokens.
void compare_with_trying(const std::shared_ptr<Grammar>& grammar, const std::shared_ptr<const TokenTrie>& trie,
                         uint64_t seed, int steps) {
    Matcher matcher(grammar, trie);
    Automaton oracle(grammar->expressions());
    StateId state = oracle.start(grammar->root());
    Random random(seed);
    for (int step = 0; step < steps; ++step) {
        const auto bits = matcher.allowed();
        ASSERT_OK(bits);
        std::vector<uint32_t> possible;
        for (uint32_t token = 0; token < trie->size(); ++token) {
            const std::string& text = trie->text(token);
            StateId next = text.empty() ? Automaton::dead : state;
            for (size_t i = 0; i < text.size() && next != Automaton::dead; ++i)
                next = oracle.step(next, uint8_t(text[i]));
            const auto ends = trie->end_tokens();
            const bool is_end = std::find(ends.begin(), ends.end(), token) != ends.end();
            const bool expected = is_end ? oracle.accepting(state) : next != Automaton::dead;
            ASSERT_EQ(allows(*bits, token), expected) << "step " << step << ", token " << token << ": " << text;
            if (expected && !is_end) possible.push_back(token);
        }
        if (possible.empty()) return;
        const uint32_t token = possible[size_t(random.next() % possible.size())];
        ASSERT_OK(matcher.accept(token));
        for (const char c : trie->text(token)) state = oracle.step(state, uint8_t(c));
    }
}

TEST(TokenMask, EqualsTryingEveryToken) {
    INGLE_NEEDS(test::fixtures() / "vocab" / "ggml-vocab-gpt-2.gguf");
    for (const char* stem : {"gpt-2", "llama-spm"}) {
        const auto trie = token_trie_of(*tokenizer_named(stem));
        const auto schema = Grammar::from_json_schema(person);
        ASSERT_OK(schema);
        const auto gbnf = Grammar::from_gbnf(nested);
        ASSERT_OK(gbnf);
        const auto any = Grammar::from_json_schema("{}");
        ASSERT_OK(any);
        const auto lengths = Grammar::from_json_schema(
            R"({"type":"array","items":{"type":"string","minLength":3,"maxLength":9},"minItems":3})");
        ASSERT_OK(lengths);
        const auto names = Grammar::from_json_schema(
            R"({"type":"object","properties":{"name":true,"nå":true},"patternProperties":{"x$":{"type":"null"}},
                "minProperties":3,"additionalProperties":{"type":"string","pattern":"^a|b"}})");
        ASSERT_OK(names);
        for (uint64_t seed = 1; seed <= 3; ++seed) {
            compare_with_trying(*schema, trie, seed, 12);
            compare_with_trying(*gbnf, trie, seed, 12);
            compare_with_trying(*any, trie, seed, 12);
            compare_with_trying(*lengths, trie, seed, 12);
            compare_with_trying(*names, trie, seed, 12);
        }
    }
}

// Whatever is drawn from the mask, a text can always be completed: no state is a dead end.
TEST(TokenMask, NeverADeadEnd) {
    std::vector<std::string> texts(256);
    for (size_t i = 0; i < 256; ++i) texts[i] = std::string(1, char(i));
    texts.push_back("");
    const auto trie = std::make_shared<const TokenTrie>(texts, std::vector<uint32_t>{256});
    const char* schemas[] = {
        person,
        R"({"oneOf":[{"multipleOf":3,"type":"integer"},{"multipleOf":5,"type":"integer"}],"minimum":100,"maximum":160})",
        R"({"type":"string","pattern":"^(ab|cd)+$","minLength":5,"not":{"pattern":"abcd"}})",
        R"({"type":"object","minProperties":2,"maxProperties":3,"propertyNames":{"pattern":"^[a-c]{1,2}$"},
            "additionalProperties":{"type":"integer","minimum":-3,"exclusiveMaximum":2.5}})",
        R"({"type":"array","items":{"type":"integer","minimum":0,"maximum":9},"contains":{"const":7},"maxItems":4})",
        R"({"type":"string","format":"date-time"})",
        R"({"type":"string","pattern":"^[a-c]{3}$"})",
        R"({"type":"object","patternProperties":{"^x-":{"type":"null"}},"additionalProperties":false,"minProperties":1})",
    };
    for (const char* schema : schemas) {
        auto grammar = Grammar::from_json_schema(schema);
        ASSERT_OK(grammar);
        for (uint64_t seed = 1; seed <= 40; ++seed) {
            Matcher matcher(*grammar, trie);
            Random random(seed);
            std::string text;
            for (int step = 0; step < 300 && !(matcher.can_end() && random.next() % 4 == 0); ++step) {
                const auto bits = matcher.allowed();
                ASSERT_OK(bits);
                std::vector<uint32_t> possible;
                for (uint32_t token = 0; token < 256; ++token)
                    if (allows(*bits, token)) possible.push_back(token);
                ASSERT_TRUE(!possible.empty() || matcher.can_end()) << schema << "\n" << text;
                if (possible.empty()) break;
                const uint32_t token = possible[size_t(random.next() % possible.size())];
                text += char(token);
                ASSERT_OK(matcher.accept(token));
            }
        }
    }
}

TEST(TokenMask, TokensOfTheGrammar) {
    const std::vector<std::string> texts = {"a", "b", "ab", "", ""};
    const auto trie = std::make_shared<const TokenTrie>(texts, std::vector<uint32_t>{4});
    const TokenNames names = [](std::string_view text) {
        return text == "<think>" ? std::optional<uint32_t>(3) : std::nullopt;
    };
    const auto grammar = Grammar::from_gbnf("root ::= <think> !<[3]>+ <[3]> \"b\"", names);
    ASSERT_OK(grammar);
    Matcher matcher(*grammar, trie);
    EXPECT_EQ((*matcher.allowed())[0], 0b01000u);
    ASSERT_OK(matcher.accept(3));
    EXPECT_EQ((*matcher.allowed())[0], 0b00111u) << "any token but 3; the end only where the text may end";
    ASSERT_OK(matcher.accept(2));
    EXPECT_EQ((*matcher.allowed())[0], 0b01111u);
    EXPECT_FALSE(matcher.accept(4).ok());
    ASSERT_OK(matcher.accept(3));
    EXPECT_EQ((*matcher.allowed())[0], 0b00010u);
    EXPECT_FALSE(matcher.accept(0).ok());
    ASSERT_OK(matcher.accept(1));
    EXPECT_EQ((*matcher.allowed())[0], 0b10000u);
    EXPECT_TRUE(matcher.must_end());
}

TEST(TokenMask, TriggersWakeIt) {
    const std::vector<std::string> texts = {"x", "<to", "ol>", "1", "22", ""};
    const auto trie = std::make_shared<const TokenTrie>(texts, std::vector<uint32_t>{5});
    const auto grammar = Grammar::from_gbnf("root ::= \"<tool>\" [0-9]+");
    ASSERT_OK(grammar);
    Matcher matcher(*grammar, trie, {.words = {"<tool>"}, .tokens = {}});
    for (const uint32_t token : {0u, 3u, 1u, 0u, 1u}) {
        EXPECT_TRUE((*matcher.allowed()).empty());
        ASSERT_OK(matcher.accept(token));
    }
    EXPECT_TRUE(matcher.can_end());
    ASSERT_OK(matcher.accept(2));
    EXPECT_FALSE(matcher.can_end());
    EXPECT_EQ((*matcher.allowed())[0], 0b011000u);
    EXPECT_FALSE(matcher.accept(0).ok());
    ASSERT_OK(matcher.accept(4));
    EXPECT_EQ((*matcher.allowed())[0], 0b111000u);
    matcher.reset();
    EXPECT_TRUE((*matcher.allowed()).empty());
}

// Time per mask with 128k tokens over the valid instances of MaskBench, each schema's second text.
TEST(TokenMask, Cost) {
    const auto path = test::fixtures() / "json-schema" / "maskbench-sample.jsonl";
    INGLE_NEEDS(path);
    INGLE_NEEDS(test::fixtures() / "vocab" / "ggml-vocab-llama-bpe.gguf");
    const auto tokenizer = tokenizer_named("llama-bpe");
    const auto trie = token_trie_of(*tokenizer);
    std::vector<double> cold, warm;
    int texts = 0;
    const std::string bytes = test::bytes_of(path);
    for (const std::string_view line : split(bytes, '\n')) {
        if (line.empty()) continue;
        const auto row = nlohmann::ordered_json::parse(line);
        auto grammar = Grammar::from_json_schema(row.at("schema").dump());
        if (!grammar.ok()) continue;
        Matcher matcher(*grammar, trie);
        for (const auto& instance : row.at("tests")) {
            if (!instance.at("valid").get<bool>()) continue;
            const auto tokens = tokenizer->encode(instance.at("data").dump(), {.add_special = false});
            ++texts;
            for (const bool first : {true, false}) {
                matcher.reset();
                for (const Token token : tokens) {
                    const auto start = std::chrono::steady_clock::now();
                    const auto bits = matcher.allowed();
                    const double us = std::chrono::duration<double, std::micro>(
                                          std::chrono::steady_clock::now() - start).count();
                    (first ? cold : warm).push_back(us);
                    ASSERT_OK(bits);
                    ASSERT_TRUE(allows(*bits, uint32_t(token))) << row.at("name") << ": " << instance.at("data");
                    ASSERT_OK(matcher.accept(uint32_t(token)));
                }
                ASSERT_TRUE(matcher.can_end());
            }
        }
    }
    std::sort(cold.begin(), cold.end());
    std::sort(warm.begin(), warm.end());
    const auto at = [](const std::vector<double>& times, double part) {
        return times[size_t(part * double(times.size() - 1))];
    };
    std::printf("%d texts, %zu masks of %zu tokens; first pass: median %.1f us, 99th percentile %.1f us, longest "
                "%.0f us; second pass: median %.2f us, 99th percentile %.2f us\n",
                texts, cold.size(), trie->size(), at(cold, 0.5), at(cold, 0.99), at(cold, 1), at(warm, 0.5),
                at(warm, 0.99));
    EXPECT_GT(texts, 100);
    EXPECT_LE(at(warm, 0.99), 50.0);
}

}  // namespace
}  // namespace ingle::grammar
