// Every chat template in the fixtures that writes tool calls: what it writes for an assistant's message is read back as
// that message, however it is cut, and the style's grammar accepts it.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "chat/reply_reading.h"
#include "grammar/grammar.h"
#include "support/fixtures.h"

namespace ingle::chat {

using namespace test_reading;

namespace {

Json call_json(const std::string& name, const Json& arguments) {
    return {{"id", "call00001"}, {"type", "function"}, {"function", {{"name", name}, {"arguments", arguments}}}};
}

std::vector<Json> calls_of_trip() {
    return {call_json("plan_trip", Json::parse(R"({"title": "Zürich \"by\" train </tool> {x}\nsecond \\ line",
                "days": 3, "budget": 12.5, "round": true, "stops": ["Bern", "Genève"],
                "hotel": {"stars": 4, "name": "Adler"}})")),
            call_json("get_weather", Json::parse(R"({"city": "Zürich", "unit": "celsius"})"))};
}

std::vector<std::filesystem::path> all_templates() {
    std::vector<std::filesystem::path> all;
    for (const char* folder : {"templates", "templates-extra", "templates-mistral"})
        for (const auto& entry : std::filesystem::directory_iterator(test::fixtures() / folder))
            if (entry.path().extension() == ".jinja") all.push_back(entry.path());
    std::sort(all.begin(), all.end());
    return all;
}

Result<std::string> render(const ChatTemplate& chat_template, const Json& assistant) {
    ChatInput input;
    input.messages = {Json{{"role", "user"}, {"content", "Hello"}}, assistant};
    input.tools = two_tools();
    input.add_generation_prompt = false;
    input.adapt = Adapt::by_probe;
    input.bos_token = "<BOS>";
    input.eos_token = "<EOS>";
    input.now = parse_clock("2024-07-26 12:34:56").value();
    input.variables = {{"functions", "[]"}, {"datetime", "today"}};
    INGLE_ASSIGN(const Rendered rendered, chat_template.render(input));
    return rendered.text;
}

// What the model would have written: the rendering between what stands before and behind the content of a message.
// Neither cut may go through a mark.
struct Cut {
    std::string prompt, reply;
};
Cut cut_reply(const std::string& text, const std::string& plain, const std::string& needle) {
    const size_t at = plain.find(needle);
    const std::string before = plain.substr(0, at), behind = plain.substr(at + needle.size());
    size_t begin = 0;
    while (begin < std::min(text.size(), before.size()) && text[begin] == before[begin]) ++begin;
    for (const auto& [open, close] : {std::pair('<', '>'), {'[', ']'}}) {
        const size_t last = text.rfind(open, begin == 0 ? 0 : begin - 1);
        if (begin > 0 && last != text.npos && text.find(close, last) >= begin) begin = last;
    }
    size_t same = 0;
    while (same < std::min(text.size() - begin, behind.size()) &&
           text[text.size() - 1 - same] == behind[behind.size() - 1 - same])
        ++same;
    size_t end = text.size() - same;
    const size_t next_open = text.find('<', end), next_close = text.find('>', end);
    if (next_close < next_open) end = next_close + 1;
    // Where a template ends the turn and goes on.
    for (const std::string_view mark : {"<｜end▁of▁sentence｜>", "<SPECIAL_12>"})
        end = std::min(end, text.find(mark, begin));
    constexpr std::string_view channel = "<|channel|>";
    if (std::string_view(text).substr(0, begin).ends_with(channel)) begin -= channel.size();
    return {.prompt = text.substr(0, begin), .reply = text.substr(begin, end - begin)};
}

struct Outcome {
    int read = 0;
    int accepted = 0;  // by the grammar
    std::set<std::string> without_calls;
};

std::string name_of(const Json& call) { return call["function"]["name"]; }

// How many of the calls the text shows; templates that take one only drop or refuse the others.
size_t shown_calls(const std::string& reply, const std::vector<Json>& calls) {
    size_t shown = 0;
    while (shown < calls.size() && reply.find(name_of(calls[shown])) != reply.npos) ++shown;
    return shown;
}

void expect_calls(const Joined& joined, const std::vector<Json>& calls, size_t count, const std::string& where) {
    ASSERT_EQ(joined.calls.size(), count) << where << "\n" << joined;
    for (size_t i = 0; i < count; ++i) {
        EXPECT_EQ(joined.calls[i].name, name_of(calls[i])) << where;
        const Json arguments = Json::parse(joined.calls[i].arguments, nullptr, false);
        EXPECT_EQ(nlohmann::json(arguments), nlohmann::json(calls[i]["function"]["arguments"])) << where;
    }
}

// Up to marks that end the turn; white space and marks before the call are the reader's business.
bool grammar_accepts(const ReplyStyle& style, ReplySetup setup, std::string_view reply) {
    setup.tool_choice = "required";
    const auto made = style.make_grammar(setup);
    EXPECT_TRUE(made.ok()) << made.status().message();
    if (!made.ok()) return false;
    const auto grammar = grammar::Grammar::from_gbnf(made->gbnf, {}, made->parts);
    EXPECT_TRUE(grammar.ok()) << grammar.status().message() << "\n" << made->gbnf;
    if (!grammar.ok()) return false;
    for (bool dropped = true; dropped;) {
        dropped = false;
        if (!reply.starts_with(" to=")) reply = trim(reply);
        for (const std::string_view mark : style.writing->dropped)
            if (reply.starts_with(mark) && mark != "<|channel|>") {
                reply.remove_prefix(mark.size());
                dropped = true;
            }
    }
    const auto verdict = grammar::check_text(*grammar, reply);
    EXPECT_TRUE(verdict.ok());
    if (verdict->accepted) return true;
    const size_t end = std::min(reply.rfind('<', verdict->offset), reply.size());
    const bool up_to_mark = grammar::check_text(*grammar, reply.substr(0, end))->accepted;
    EXPECT_TRUE(up_to_mark) << style.name << " refused at " << verdict->offset << ": "
                            << reply.substr(verdict->offset) << "\n" << made->gbnf;
    return up_to_mark;
}

void try_template(const std::filesystem::path& path, const std::vector<Json>& calls, const std::string& content,
                  Outcome& outcome) {
    const std::string where = path.filename().string();
    auto parsed = ChatTemplate::parse(test::bytes_of(path));
    ASSERT_TRUE(parsed.ok()) << where;
    const std::string needle = "ingle-needle";
    const auto plain = render(*parsed, {{"role", "assistant"}, {"content", needle}});
    const auto text = render(*parsed, {{"role", "assistant"}, {"content", content}, {"tool_calls", calls}});
    const bool escaped = text.ok() && text->find("&#34;") != std::string::npos;
    if (!plain.ok() || !text.ok() || escaped || plain->find(needle) == std::string::npos) {
        outcome.without_calls.insert(where);
        return;
    }
    const Cut cut = cut_reply(*text, *plain, needle);
    const size_t count = shown_calls(cut.reply, calls);
    if (count == 0) {
        outcome.without_calls.insert(where);
        return;
    }
    SCOPED_TRACE(where + "\n" + cut.reply);
    const ReplyStyle& style = style_of(*parsed);
    const ReplySetup setup = {.tools = two_tools(), .prompt_end = cut.prompt};
    const Joined joined = read_every_way(style, setup, cut.reply);
    expect_calls(joined, calls, count, where);
    if (cut.reply.find(content) != std::string::npos) {
        EXPECT_EQ(joined.reasoning + joined.content, content);
    }
    ++outcome.read;
    // Mistral Nemo puts an id behind the arguments, which its grammar leaves out.
    const bool strings_only = calls.size() == 1 && name_of(calls[0]) == "get_weather";
    if (strings_only && where.find("Mistral-Nemo") == std::string::npos)
        outcome.accepted += grammar_accepts(style, setup, cut.reply) ? 1 : 0;
}

}  // namespace

TEST(ReplyRoundTrip, calls_that_a_template_writes_are_read_back) {
    INGLE_NEEDS(test::fixtures() / "templates");
    Outcome one, two;
    const std::vector<Json> calls = calls_of_trip();
    for (const auto& path : all_templates()) {
        try_template(path, {calls[1]}, "", one);
        try_template(path, calls, "", two);
    }
    EXPECT_EQ(one.read, 57);
    EXPECT_EQ(two.read, 54);
    EXPECT_EQ(one.accepted, 56);
    RecordProperty("templates_read", one.read);
    std::string others;
    for (const std::string& name : one.without_calls) others += name + " ";
    RecordProperty("templates_without_calls", others);
}

TEST(ReplyRoundTrip, content_before_calls_is_read_back) {
    INGLE_NEEDS(test::fixtures() / "templates");
    Outcome outcome;
    for (const auto& path : all_templates()) try_template(path, calls_of_trip(), "Let me look.", outcome);
    EXPECT_GE(outcome.read, 50);
}

}  // namespace ingle::chat
