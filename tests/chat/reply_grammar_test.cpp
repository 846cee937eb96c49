// Grammars of styles: whatever text they allow is read back by the style as calls that the tools' schemas allow.
#include <random>

#include "chat/reply_reading.h"
#include "grammar/grammar.h"

namespace ingle::chat {

using namespace test_reading;

namespace {

// Random text of a grammar, one byte at a time, inclined to end what is open and to finish marks.
class Walk {
  public:
    Walk(std::shared_ptr<grammar::Grammar> grammar, const std::vector<grammar::Part>& parts)
        : grammar_(std::move(grammar)) {
        std::vector<std::string> texts;
        for (int byte = 0; byte < 256; ++byte) texts.emplace_back(1, char(byte));
        trie_ = std::make_shared<const grammar::TokenTrie>(texts, std::vector<uint32_t>());
        for (const grammar::Part& part : parts)
            if (part.kind == grammar::Part::Kind::mark) marks_.push_back(part.text);
    }

    // Nothing if it has not ended after a number of bytes.
    std::optional<std::string> text(std::mt19937& random) {
        grammar::Matcher matcher(grammar_, trie_);
        std::string out, coming;  // of a mark that was begun
        while (out.size() < 2000) {
            if (matcher.can_end() && (matcher.must_end() || random() % 3 == 0)) return out;
            const auto bits = matcher.allowed();
            if (!bits.ok()) return std::nullopt;
            const auto is_allowed = [&](char c) { return ((*bits)[uint8_t(c) / 64] >> (uint8_t(c) % 64) & 1) != 0; };
            std::string all, closing;
            for (int byte = 0; byte < 256; ++byte)
                if (is_allowed(char(byte))) all += char(byte);
            if (all.empty()) return std::nullopt;
            for (const char c : std::string_view("\"}])\n"))
                if (is_allowed(c)) closing += c;
            const bool free = all.size() > 100;
            if (coming.empty() && free && !marks_.empty() && random() % 3 == 0) coming = marks_[random() % marks_.size()];
            char c = all[random() % all.size()];
            if (!closing.empty() && random() % 2 == 0) c = closing[random() % closing.size()];
            if (!coming.empty() && is_allowed(coming.front())) c = coming.front();
            if (!coming.empty() && c == coming.front()) coming.erase(0, 1);
            else coming.clear();
            if (!matcher.accept(uint8_t(c)).ok()) return std::nullopt;
            out += c;
        }
        return std::nullopt;
    }

  private:
    std::shared_ptr<grammar::Grammar> grammar_;
    std::shared_ptr<const grammar::TokenTrie> trie_;
    std::vector<std::string> marks_;
};

void expect_valid(const Joined& joined, const std::string& text, const std::string& where) {
    ASSERT_FALSE(joined.calls.empty()) << where << ": " << text;
    EXPECT_EQ(joined.content, "") << where << ": " << text;
    for (const auto& call : joined.calls) {
        const Json arguments = Json::parse(call.arguments, nullptr, false);
        ASSERT_TRUE(arguments.is_object()) << where << ": " << text;
        if (call.name == "get_weather") {
            ASSERT_TRUE(arguments.contains("city") && arguments["city"].is_string()) << where << ": " << text;
            if (arguments.contains("unit")) {
                EXPECT_TRUE(arguments["unit"] == "celsius" || arguments["unit"] == "kelvin") << text;
            }
        } else {
            EXPECT_EQ(call.name, "plan_trip") << where;
            ASSERT_TRUE(arguments.contains("days") && arguments.contains("stops")) << where << ": " << text;
            EXPECT_TRUE(arguments["days"].is_number() && arguments["stops"].is_array()) << where << ": " << text;
            EXPECT_TRUE(arguments["round"].is_boolean()) << where << ": " << text;
        }
    }
}

}  // namespace

TEST(ReplyGrammar, what_it_allows_is_read_back_as_calls_that_the_schemas_allow) {
    std::mt19937 random(7);
    for (const ReplyStyle* style : reply_styles()) {
        const std::string name(style->name);
        for (const std::string choice : {"required", "get_weather", "plan_trip"}) {
            const ReplySetup setup = {.tools = two_tools(), .tool_choice = choice};
            const auto made = style->make_grammar(setup);
            ASSERT_TRUE(made.ok()) << name << ": " << made.status().message();
            EXPECT_TRUE(made->trigger_words.empty());
            auto compiled = grammar::Grammar::from_gbnf(made->gbnf, {}, made->parts);
            ASSERT_TRUE(compiled.ok()) << name << ": " << compiled.status().message() << "\n" << made->gbnf;
            Walk walk(*compiled, made->parts);
            int ended = 0;
            for (int i = 0; i < 60 && ended < 2; ++i) {
                const auto text = walk.text(random);
                if (!text) continue;
                ++ended;
                const Joined joined = read(*style, setup, {*text});
                expect_valid(joined, *text, name);
                if (choice != "required") {
                    EXPECT_EQ(joined.calls.at(0).name, choice) << name;
                }
            }
            EXPECT_GT(ended, 0) << name << " " << choice;
        }
    }
}

TEST(ReplyGrammar, a_lazy_grammar_begins_with_each_of_its_triggers) {
    for (const ReplyStyle* style : reply_styles()) {
        const auto made = style->make_grammar({.tools = two_tools()});
        ASSERT_TRUE(made.ok()) << style->name << ": " << made.status().message();
        ASSERT_FALSE(made->trigger_words.empty()) << style->name;
        const auto compiled = grammar::Grammar::from_gbnf(made->gbnf, {}, made->parts);
        ASSERT_TRUE(compiled.ok()) << style->name << ": " << compiled.status().message();
        for (const std::string& word : made->trigger_words) {
            const auto verdict = grammar::check_text(*compiled, word);
            ASSERT_TRUE(verdict.ok());
            EXPECT_TRUE(verdict->incomplete) << style->name << ": " << word << "\n" << made->gbnf;
        }
    }
}

TEST(ReplyGrammar, one_call_alone_where_calls_in_parallel_are_not_wanted) {
    ReplySetup setup = {.tools = two_tools(), .tool_choice = "get_weather"};
    const std::string one = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Bern\"}}\n</tool_call>";
    for (const bool parallel : {true, false}) {
        setup.parallel_calls = parallel;
        const auto made = style_named("hermes").make_grammar(setup);
        ASSERT_TRUE(made.ok());
        const auto compiled = grammar::Grammar::from_gbnf(made->gbnf, {}, made->parts);
        ASSERT_TRUE(compiled.ok());
        EXPECT_TRUE(grammar::check_text(*compiled, one)->accepted);
        EXPECT_EQ(grammar::check_text(*compiled, one + "\n" + one)->accepted, parallel);
    }
}

TEST(ReplyGrammar, reasoning_may_come_first_and_must_end_where_the_prompt_opened_it) {
    ReplySetup setup = {.tools = two_tools(), .tool_choice = "required"};
    const std::string call = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Bern\"}}\n</tool_call>";
    const auto accepted = [&](const std::string& text) {
        const auto made = style_named("hermes").make_grammar(setup);
        const auto compiled = grammar::Grammar::from_gbnf(made->gbnf, {}, made->parts);
        return compiled.ok() && grammar::check_text(*compiled, text)->accepted;
    };
    EXPECT_TRUE(accepted("<think>\nWell <tool_call>.\n</think>\n\n" + call));
    EXPECT_TRUE(accepted(call));
    setup.prompt_end = "<think>\n";
    EXPECT_TRUE(accepted("Well.\n</think>\n\n" + call));
    EXPECT_FALSE(accepted(call));
}

TEST(ReplyGrammar, what_it_cannot_hold_to_is_refused_by_name) {
    const auto refusal = [](const char* style, const ReplySetup& setup) {
        const auto made = style_named(style).make_grammar(setup);
        return made.ok() ? std::string() : made.status().message();
    };
    EXPECT_NE(refusal("hermes", {.tools = two_tools(), .tool_choice = "fly"}).find("'fly'"), std::string::npos);
    EXPECT_NE(refusal("hermes", {.tool_choice = "required"}), "");
    const Json tools = Json::parse(R"([{"name": "f", "parameters": {"type": "object", "properties":
        {"a": {"type": "string", "pattern": "^x"}}}}])");
    const std::string message = refusal("qwen3-coder", {.tools = tools, .tool_choice = "required"});
    EXPECT_NE(message.find("pattern"), std::string::npos) << message;
    EXPECT_NE(message.find("'f'"), std::string::npos) << message;
}

}  // namespace ingle::chat
