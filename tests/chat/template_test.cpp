// Public bug reports, adaptation, the clock, and capabilities.
#include "chat/template.h"

#include <gtest/gtest.h>

#include "support/fixtures.h"

namespace ingle::chat {

namespace {

Result<Rendered> render(const std::string& source, ChatInput input = {}) {
    INGLE_ASSIGN(const ChatTemplate parsed, ChatTemplate::parse(source));
    return parsed.render(input);
}

std::string text_of(const std::string& source, const ChatInput& input = {}) {
    const auto rendered = render(source, input);
    return rendered.ok() ? rendered->text : "error: " + rendered.status().message();
}

ChatInput conversation(std::string_view messages) {
    ChatInput input;
    input.messages = Json::parse(messages);
    return input;
}

constexpr const char* null_content = R"([
    {"role": "user", "content": "Weather?"},
    {"role": "assistant", "content": null, "tool_calls": [{"id": "1", "type": "function",
        "function": {"name": "get_weather", "arguments": "{\"city\": \"Bern\"}"}}]},
    {"role": "tool", "content": "21"}, {"role": "user", "content": "Thanks"}])";

}  // namespace

TEST(ChatTemplate, loop_controls_work_and_generation_tags_render_their_body) {
    ChatInput input = conversation(R"([{"content": "a"}, {"content": "b"}, {"content": "c"}])");
    EXPECT_EQ(text_of("{% for m in messages %}{% if loop.index0 == 1 %}{% break %}{% endif %}{{ "
                      "m.content }}{% endfor %}",
                      input),
              "a");
    EXPECT_EQ(text_of("{% for m in messages %}{% if loop.index0 == 1 %}{% continue %}{% endif %}{{ "
                      "m.content }}{% endfor %}",
                      input),
              "ac");
    EXPECT_EQ(text_of("{% generation %}x{{ messages[0].content }}{% endgeneration %}", input),
              "xa");
}

TEST(ChatTemplate, a_bad_template_is_refused_at_load_with_its_place) {
    const auto parsed = ChatTemplate::parse("line one\n  {{ messages | nosuch }}");
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.status().message(),
              "chat template: line 2, column 17: No filter named 'nosuch'.");
    EXPECT_EQ(ChatTemplate::parse("{% trans %}x{% endtrans %}").status().message(),
              "chat template: line 1, column 4: Encountered unknown tag 'trans'.");
    EXPECT_EQ(ChatTemplate::parse("{% include 'other' %}").status().code(), Code::unsupported);
    EXPECT_FALSE(ChatTemplate::parse("{% for x in y %}").ok());
    EXPECT_FALSE(ChatTemplate::parse("{{ 'open }}").ok());
}

TEST(ChatTemplate, errors_while_rendering_say_where) {
    EXPECT_EQ(text_of("a\n{{ raise_exception('No such role') }}"),
              "error: chat template: line 2, column 19: No such role");
    EXPECT_EQ(text_of("{{ nothing.here }}"),
              "error: chat template: line 1, column 11: 'nothing' is undefined");
    EXPECT_EQ(text_of("{% macro m() %}\n{{ 1 + 'a' }}{% endmacro %}\n\n{{ m() }}"),
              "error: chat template: line 2, column 6: unsupported operand type(s) for +: 'int' "
              "and 'str'");
}

TEST(ChatTemplate, the_expressions_of_public_reports_work) {
    ChatInput input;
    input.now = parse_clock("2024-07-26 12:34:56").value();
    input.variables = {{"y", 1}, {"c", "abc"}};
    EXPECT_EQ(text_of("{{ strftime_now('%d %b %Y') }}", input), "26 Jul 2024");
    EXPECT_EQ(text_of("{{ {'a': '\xc3\xa9'} | tojson(ensure_ascii=False, indent=2) }}", input),
              "{\n  \"a\": \"\xc3\xa9\"\n}");
    EXPECT_EQ(text_of("{{ '/x' if (y is defined and not c.endswith(\"/x\")) else '' }}", input),
              "/x");
    EXPECT_EQ(text_of("{% set ns = namespace(n=0) %}{% for i in [1, 2] %}{% set ns.n = ns.n + i "
                      "%}{% endfor %}{{ ns.n }}",
                      input),
              "3");
    EXPECT_EQ(text_of("{{ \"ab\" * 3 }}{{ c[-2:] }}", input), "abababbc");
    EXPECT_EQ(text_of("{% for i in [1, 2] %}{{ loop.previtem is defined }}{% endfor %}", input),
              "FalseTrue");
    EXPECT_EQ(
        text_of("{% macro m(a, b='x') %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}{{ m(b=2, a=3) }}",
                input),
        "1x32");
}

TEST(ChatTemplate, the_clock_of_the_machine_is_used_when_none_is_given) {
    EXPECT_EQ(text_of("{{ strftime_now('%Y') | length }}"), "4");
    EXPECT_FALSE(parse_clock("yesterday").ok());
    EXPECT_FALSE(parse_clock("2024-13-01 00:00:00").ok());
    EXPECT_FALSE(parse_clock("2023-02-29").ok());
    const auto leap = parse_clock("2024-02-29T23:59:59");
    ASSERT_OK(leap);
    ChatInput input;
    input.now = *leap;
    EXPECT_EQ(text_of("{{ strftime_now('%A %j %U %W %V %G') }}", input),
              "Thursday 060 08 09 09 2024");
}

TEST(ChatTemplate, null_content_becomes_empty_where_the_template_adds_or_slices_it) {
    const ChatInput input = conversation(null_content);
    EXPECT_EQ(text_of("{% for m in messages %}[{{ m.content + '' }}]{% endfor %}", input),
              "[Weather?][][21][Thanks]");
    EXPECT_EQ(text_of("{% for m in messages %}[{{ m.content[:2] }}]{% endfor %}", input),
              "[We][][21][Th]");
    // A template that looks for null still sees it.
    EXPECT_EQ(text_of("{% for m in messages %}{{ m.content is none }} {% endfor %}", input),
              "False True False False ");
    ChatInput exact = input;
    exact.adapt = Adapt::never;
    EXPECT_FALSE(render("{% for m in messages %}{{ m.content + '' }}{% endfor %}", exact).ok());
}

TEST(ChatTemplate, tool_arguments_become_objects_where_the_template_iterates_them) {
    const std::string source =
        "{% for m in messages %}{% for c in m.tool_calls or [] %}{% for k, v in "
        "c.function.arguments.items() %}"
        "{{ k }}={{ v }};{% endfor %}{% endfor %}{% endfor %}";
    EXPECT_EQ(text_of(source, conversation(null_content)), "city=Bern;");
}

TEST(ChatTemplate, a_probe_keeps_tool_arguments_from_being_quoted_twice) {
    const std::string source =
        "{% for m in messages %}{{ m.content }}{% for c in m.tool_calls or [] %}{{ c.function | "
        "tojson }}{% endfor %}{% endfor %}";
    ChatInput input = conversation(null_content);
    input.adapt = Adapt::by_probe;
    EXPECT_EQ(text_of(source, input),
              R"(Weather?{"name": "get_weather", "arguments": {"city": "Bern"}}21Thanks)");
}

TEST(ChatTemplate, capabilities_are_found_by_probing) {
    const auto path = test::fixtures() / "templates/Qwen-Qwen3-0.6B.jinja";
    INGLE_NEEDS(path);
    const auto qwen = ChatTemplate::parse(test::bytes_of(path));
    ASSERT_OK(qwen);
    const Capabilities& found = qwen->capabilities();
    EXPECT_TRUE(found.system_role && found.tools && found.tool_calls && found.tool_results);
    EXPECT_TRUE(found.text_content && found.enable_thinking && found.generation_prompt);
    EXPECT_FALSE(found.text_arguments);

    const auto gemma = ChatTemplate::parse(
        test::bytes_of(test::fixtures() / "templates/google-gemma-2-2b-it.jinja"));
    ASSERT_OK(gemma);
    EXPECT_FALSE(gemma->capabilities().system_role);
    EXPECT_FALSE(gemma->capabilities().tools);
    EXPECT_TRUE(gemma->capabilities().generation_prompt);
}

TEST(ChatTemplate, absent_tools_are_undefined_and_null_variables_are_none) {
    EXPECT_EQ(
        text_of("{{ tools is defined }}{{ documents is defined }}{{ enable_thinking is defined }}"),
        "FalseFalseFalse");
    ChatInput input;
    input.variables = {{"tools", nullptr}, {"add_generation_prompt", false}};
    EXPECT_EQ(text_of("{{ tools is none }}{{ add_generation_prompt }}", input), "TrueFalse");
}

}  // namespace ingle::chat
