// Replies as models write them, well and badly, read by their styles.
#include "chat/reply_reading.h"

namespace ingle::chat {

using namespace test_reading;

namespace {

ReplySetup with_tools(std::string prompt_end = "") {
    return {.tools = two_tools(), .prompt_end = std::move(prompt_end)};
}

Joined read_as(std::string_view style, const std::string& text, const std::string& prompt_end = "") {
    return read_every_way(style_named(style), with_tools(prompt_end), text);
}

Joined::Call weather(const std::string& arguments = R"({"city": "Bern"})") {
    return {.name = "get_weather", .id = "", .arguments = arguments};
}

}  // namespace

TEST(Reply, plain_text_is_content_byte_for_byte_in_every_style) {
    const std::string text = "  A <b>text</b> [1] {\"a\": 1} with <thin> Grüße 😀 and \n\n spaces \n";
    for (const ReplyStyle* style : reply_styles())
        EXPECT_EQ(read_every_way(*style, {}, text).content, text) << style->name;
}

TEST(Reply, without_tools_marks_of_calls_are_content) {
    const std::string text = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {}}\n</tool_call>";
    EXPECT_EQ(read_every_way(style_named("hermes"), {}, text).content, text);
    ReplySetup none = with_tools();
    none.tool_choice = "none";
    EXPECT_EQ(read_every_way(style_named("hermes"), none, text).content, text);
}

TEST(Reply, reasoning_is_told_from_content) {
    const Joined expected = {.reasoning = "Add\nthem.", .content = "4", .calls = {}};
    EXPECT_EQ(read_as("hermes", "<think>\nAdd\nthem.\n</think>\n\n4"), expected);
    EXPECT_EQ(read_as("hermes", "\nAdd\nthem.\n</think>\n\n4", "<|im_start|>assistant\n<think>\n"), expected);
    EXPECT_EQ(read_as("seed-oss", "<seed:think>Add\nthem.</seed:think>4"), expected);
    EXPECT_EQ(read_as("mistral-args", "[THINK]Add\nthem.[/THINK]4"), expected);
    EXPECT_EQ(read_as("command-r7b", "<|START_THINKING|>Add\nthem.<|END_THINKING|><|START_RESPONSE|>4<|END_RESPONSE|>"),
              expected);
    EXPECT_EQ(read_as("gpt-oss", "<|channel|>analysis<|message|>Add\nthem.<|end|><|start|>assistant<|channel|>final"
                                 "<|message|>4"),
              expected);
    EXPECT_EQ(read_as("gemma4", "<|channel>thought\nAdd\nthem.<channel|>4"), expected);
    EXPECT_EQ(read_as("solar-open", "<|think|>Add\nthem.<|end|><|begin|>assistant<|content|>4"), expected);
    EXPECT_EQ(read_as("granite-3", "<think>Add\nthem.</think>\n<response>4</response>"), expected);
    EXPECT_EQ(read_as("apertus", "<|inner_prefix|>Add\nthem.<|inner_suffix|>4"), expected);
}

TEST(Reply, reasoning_that_is_not_closed_is_reasoning_to_the_end) {
    EXPECT_EQ(read_as("hermes", "<think>\nAdd them. </thi").reasoning, "Add them. </thi");
}

TEST(Reply, reasoning_stays_in_the_content_where_it_is_not_to_be_split) {
    ReplySetup setup = with_tools();
    setup.split_reasoning = false;
    const std::string text = "<think>\nAdd.\n</think>\n\n4";
    EXPECT_EQ(read_every_way(style_named("hermes"), setup, text).content, text);
}

TEST(Reply, a_mark_of_reasoning_amid_content_is_content) {
    const std::string text = "Models write <think> first.";
    EXPECT_EQ(read_as("hermes", text).content, text);
}

TEST(Reply, calls_in_reasoning_are_none) {
    const Joined joined = read_as("hermes", "<think>I could <tool_call>{\"name\": \"f\"}</tool_call></think>No.");
    EXPECT_TRUE(joined.calls.empty());
    EXPECT_EQ(joined.content, "No.");
}

TEST(Reply, every_style_reads_its_call) {
    const std::vector<std::pair<const char*, const char*>> replies = {
        {"hermes", R"(<tool_call>{"name": "get_weather", "arguments": {"city": "Bern"}}</tool_call>)"},
        {"plain", R"({"name": "get_weather", "parameters": {"city": "Bern"}})"},
        {"llama3", R"({"name": "get_weather", "parameters": {"city": "Bern"}})"},
        {"llama3", R"(<|python_tag|>{"name": "get_weather", "parameters": {"city": "Bern"}}<|eom_id|>)"},
        {"llama3", R"({"type": "function", "function": {"name": "get_weather", "arguments": {"city": "Bern"}}})"},
        {"kimi-k2", "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0"
                    "<|tool_call_argument_begin|>{\"city\": \"Bern\"}<|tool_call_end|><|tool_calls_section_end|>"},
        {"phi-4-mini", R"(<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Bern"}}]<|/tool_call|>)"},
        {"granite-3", R"(<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Bern"}}])"},
        {"mistral-list", R"([TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Bern"}, "id": "a"}])"},
        {"mistral-args", R"([TOOL_CALLS]get_weather[ARGS]{"city": "Bern"})"},
        {"gpt-oss", R"(<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Bern"})"},
        {"gpt-oss", R"( to=functions.get_weather<|channel|>commentary json<|message|>{"city": "Bern"}<|call|>)"},
        {"functionary-v3.2", "get_weather\n{\"city\": \"Bern\"}"},
        {"seed-oss", "<seed:tool_call><function=get_weather><parameter=city>Bern</parameter></function>"
                     "</seed:tool_call>"},
        {"qwen3-coder", "<function=get_weather>\n<parameter=city>\nBern\n</parameter>\n</function>\n</tool_call>"},
        {"command-r-plus", "Action: ```json\n[{\"tool_name\": \"get_weather\", \"parameters\": {\"city\": \"Bern\"}}]\n```"},
    };
    for (const auto& [style, text] : replies) {
        const Joined joined = read_as(style, text);
        ASSERT_EQ(joined.calls.size(), 1u) << style << ": " << text << "\n" << joined;
        EXPECT_EQ(joined.calls[0].name, "get_weather") << text;
        EXPECT_EQ(Json::parse(joined.calls[0].arguments), Json({{"city", "Bern"}})) << text;
        EXPECT_EQ(joined.content, "") << text;
    }
    EXPECT_EQ(read_as("kimi-k2", replies[5].second).calls[0].id, "functions.get_weather:0");
    for (const char* style : {"lfm2", "llama4"}) {
        const std::string list = "[get_weather(city='Bern'), get_weather(city=\"it\\'s\", unit=None)]";
        const Joined joined = read_as(style, style == std::string("lfm2")
                                                 ? "<|tool_call_start|>" + list + "<|tool_call_end|>" : list);
        ASSERT_EQ(joined.calls.size(), 2u) << style << joined;
        EXPECT_EQ(Json::parse(joined.calls[0].arguments), Json({{"city", "Bern"}}));
        EXPECT_EQ(Json::parse(joined.calls[1].arguments), Json({{"city", "it's"}, {"unit", nullptr}}));
    }
}

TEST(Reply, arguments_are_passed_on_as_the_model_wrote_them) {
    const std::string arguments = R"({ "city":"Bern\u00e9 </tool_call>" , "n": [1, 12345678901234567890, {}] })";
    const std::string text = "Hi.\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": " + arguments +
                             "}\n</tool_call>";
    const Joined expected = {.reasoning = "", .content = "Hi.", .calls = {weather(arguments)}};
    EXPECT_EQ(read_as("hermes", text), expected);
}

TEST(Reply, arguments_begin_to_come_before_the_call_has_ended) {
    const auto reader = style_named("hermes").make_reader(with_tools());
    const auto pieces = reader->push("<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Be");
    ASSERT_EQ(pieces.size(), 2u);
    EXPECT_EQ(pieces[0].kind, ReplyPiece::Kind::call);
    EXPECT_EQ(pieces[1].text, "{\"city\": \"Be");
}

TEST(Reply, a_call_cut_off_in_its_arguments_is_completed_and_one_cut_off_before_is_content) {
    EXPECT_EQ(read_as("hermes", "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Be").calls[0],
              weather(R"({"city": "Be"})"));
    for (const std::string text : {"<tool_call>{\"name\": \"get_wea", "<tool_call>", "<tool_call>{"})
        EXPECT_EQ(read_as("hermes", text), (Joined{.reasoning = "", .content = text, .calls = {}}));
    EXPECT_EQ(read_as("qwen3-coder", "<tool_call>\n<function=get_weather>\n<parameter=city>\nBe\n</para").calls[0],
              weather(R"({"city": "Be"})"));
    EXPECT_EQ(read_as("mistral-args", "[TOOL_CALLS]get_weather[ARGS]{\"city\": \"Be").calls[0],
              weather(R"({"city": "Be"})"));
}

TEST(Reply, broken_json_of_arguments_is_mended) {
    const std::vector<std::pair<const char*, const char*>> cases = {
        {R"({'city': 'Bern',})", R"({"city": "Bern"})"},
        {R"({city: Bern, ok: True, no: None})", R"({"city": "Bern", "ok": true, "no": null})"},
        {R"j({"code": "print("hi")", "n": 1})j", R"j({"code": "print(\"hi\")", "n": 1})j"},
        {"{\"text\": \"a\nb\tc \\d\"}", R"({"text": "a\nb\tc \\d"})"},
        {R"({"a": [1, 2, "b"})", R"({"a": [1, 2, "b"]})"},
        {R"({"a": {"b": 1, "c": , }, "d",})", R"({"a": {"b": 1}})"},
        {R"({"half": "\ud83d x"})", "{\"half\": \"\\ufffd x\"}"},
        {R"({"a": .5, "b": 1., "c": +3})", R"({"a": 0.5, "b": 1.0, "c": 3})"},
        {R"({"a": 1 "b": 2})", R"({"a": 1, "b": 2})"},
    };
    for (const auto& [written, mended] : cases) {
        const std::string text = cat("<tool_call>{\"name\": \"get_weather\", \"arguments\": ", written, "}</tool_call>");
        const Joined joined = read_as("hermes", text);
        ASSERT_EQ(joined.calls.size(), 1u) << text;
        EXPECT_EQ(Json::parse(joined.calls[0].arguments), Json::parse(mended)) << joined.calls[0].arguments;
    }
}

TEST(Reply, an_object_that_was_not_closed_ends_at_the_mark) {
    const Joined joined = read_as("hermes", "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Bern\""
                                            "</tool_call>And on.");
    ASSERT_EQ(joined.calls.size(), 1u);
    EXPECT_EQ(joined.calls[0], weather(R"({"city": "Bern"})"));
    EXPECT_EQ(joined.content, "And on.");
}

TEST(Reply, arguments_as_json_text_and_before_the_name_are_read) {
    EXPECT_EQ(read_as("hermes", R"(<tool_call>{"name": "get_weather", "arguments": "{\"city\": \"Bern\"}"}</tool_call>)")
                  .calls[0], weather());
    EXPECT_EQ(read_as("hermes", R"(<tool_call>{"arguments": {"city": "Bern"}, "name": "get_weather"}</tool_call>)")
                  .calls[0], weather());
    EXPECT_EQ(read_as("hermes", R"(<tool_call>{"name": "get_weather"}</tool_call>)").calls[0], weather("{}"));
    EXPECT_EQ(read_as("hermes", R"(<tool_call>{"name": "get_weather", "arguments": null}</tool_call>)").calls[0],
              weather("{}"));
}

TEST(Reply, json_that_is_no_call_is_content) {
    for (const std::string text :
         {R"({"name": "Bob", "age": 3})", R"({"answer": 42})", R"([1, 2, 3])", R"({"name": "unknown", "parameters": {}})",
          R"({"parameters": {"city": "Bern"}})"})
        EXPECT_EQ(read_as("llama3", text), (Joined{.reasoning = "", .content = text, .calls = {}}));
    for (const std::string text : {"[1] a reference", "[a] b", "[get_weather] is a tool"})
        EXPECT_EQ(read_as("llama4", text).content, text);
    EXPECT_EQ(read_as("firefunction", "use functools.wraps(f)").content, "use functools.wraps(f)");
    EXPECT_EQ(read_as("hermes", "the <tool_call> mark").content, "the <tool_call> mark");
}

TEST(Reply, two_calls_keep_their_order_and_a_second_one_is_dropped_where_one_is_wanted) {
    const std::string one = R"(<tool_call>{"name": "get_weather", "arguments": {"city": "Bern"}}</tool_call>)";
    const Joined both = read_as("hermes", one + "\n" + one);
    EXPECT_EQ(both.calls, (std::vector<Joined::Call>{weather(), weather()}));
    ReplySetup single = with_tools();
    single.parallel_calls = false;
    EXPECT_EQ(read_every_way(style_named("hermes"), single, one + one).calls.size(), 1u);
}

TEST(Reply, texts_of_parameters_become_json_by_the_tools_schema) {
    const std::string text =
        "<tool_call>\n<function=plan_trip>\n<parameter=title>\n 42 \n\n</parameter>\n<parameter=days>\n3\n</parameter>\n"
        "<parameter=round>\nTrue\n</parameter>\n<parameter=stops>\n[\"a\", \"b\"]\n</parameter>\n"
        "<parameter=hotel>\n{\"stars\": 4}\n</parameter>\n<parameter=other>\n7\n</parameter>\n</function>\n</tool_call>";
    const Joined joined = read_as("qwen3-coder", text);
    ASSERT_EQ(joined.calls.size(), 1u);
    EXPECT_EQ(Json::parse(joined.calls[0].arguments),
              Json::parse(R"({"title": " 42 \n", "days": 3, "round": true, "stops": ["a", "b"], "hotel": {"stars": 4},
                              "other": 7})"));
}

TEST(Reply, the_mark_behind_a_value_may_stand_in_the_value) {
    const std::string value = "<parameter=x>\n</parameter> and </function> \"q\"";
    const Joined joined = read_as("qwen3-coder", "<tool_call>\n<function=get_weather>\n<parameter=city>\n" + value +
                                                     "\n</parameter>\n</function>\n</tool_call>");
    ASSERT_EQ(joined.calls.size(), 1u);
    EXPECT_EQ(Json::parse(joined.calls[0].arguments), Json({{"city", value}}));
}

TEST(Reply, a_mark_in_a_string_of_a_json_value_is_part_of_the_value) {
    const Joined joined = read_as("glm", "<tool_call>plan_trip<arg_key>hotel</arg_key><arg_value>{\"name\": "
                                         "\"</arg_value></tool_call>\"}</arg_value></tool_call>");
    ASSERT_EQ(joined.calls.size(), 1u);
    EXPECT_EQ(Json::parse(joined.calls[0].arguments)["hotel"]["name"], "</arg_value></tool_call>");
}

TEST(Reply, half_a_character_waits_and_a_broken_one_is_replaced) {
    const auto reader = style_named("plain").make_reader({});
    EXPECT_TRUE(reader->push("\xf0\x9f").empty());
    const auto pieces = reader->push("\xa6\x99");
    ASSERT_EQ(pieces.size(), 1u);
    EXPECT_EQ(pieces[0].text, "\xf0\x9f\xa6\x99");
    EXPECT_EQ(read_as("plain", "a\xed\xa0\x80z\xf0\x9f").content.find('a'), 0u);
}

TEST(Reply, a_prompt_that_opened_the_reasoning_is_recognised) {
    EXPECT_TRUE(begins_in_reasoning(style_named("hermes"), "<|im_start|>assistant\n<think>\n"));
    EXPECT_FALSE(begins_in_reasoning(style_named("hermes"), "<think>\n\n</think>\n\n"));
    EXPECT_EQ(stop_reasoning_text(style_named("hermes")), "\n</think>\n\n");
    EXPECT_EQ(stop_reasoning_text(style_named("command-r-plus")), "");
}

}  // namespace ingle::chat
