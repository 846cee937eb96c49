// A template from a stranger ends, quickly and with a clear error, whatever it tries.
#include <gtest/gtest.h>


#include "chat/template.h"
#include "support/fixtures.h"
#include "support/stopwatch.h"

namespace ingle::chat {

namespace {

std::string repeated(std::string_view part, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += part;
    return out;
}

// Renders, with a fraction of the usual limits; must fail with Code::limit, soon.
void expect_limit(const std::string& source) {
    const Stopwatch stopwatch;
    jinja::Limits limits;
    limits.steps_max /= 20;
    limits.memory_bytes_max /= 8;
    const auto parsed = ChatTemplate::parse(source, limits);
    const auto rendered = parsed.ok() ? parsed->render({}) : Result<Rendered>(parsed.status());
    ASSERT_FALSE(rendered.ok()) << source.substr(0, 200);
    EXPECT_EQ(rendered.status().code(), Code::limit) << rendered.status().message();
    EXPECT_NE(rendered.status().message().find("line "), std::string::npos)
        << rendered.status().message();
    EXPECT_LT(stopwatch.seconds(), 20) << source.substr(0, 200);
}

}  // namespace

TEST(Limits, endless_work_runs_out_of_steps) {
    expect_limit("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}");
    expect_limit("{% for a in range(99999) %}{% set x = range(99999)|list %}{% endfor %}");
    expect_limit("{% for a in range(99999) %}{% set x = ('x' * 1000000) | upper %}{% endfor %}");
    expect_limit("{{ range(100001) }}");
}

TEST(Limits, large_values_are_refused_before_they_are_made) {
    expect_limit("{{ 'x' * 10**9 }}");
    expect_limit("{{ [0] * 10**9 }}");
    expect_limit("{{ 'x'.center(10**12) }}");
    expect_limit("{{ '%1000000000d' % 1 }}");
    expect_limit("{{ '{:>1000000000}'.format(1) }}");
    expect_limit("{{ 'x' | indent(10**12, true) }}");
    expect_limit("{{ [1] | batch(10**12, 0) | list }}");
    expect_limit("{{ [[]] | tojson(indent=10**12) }}");
    expect_limit("{{ 'x'.zfill(10**12) }}");
    expect_limit("{{ '\\t'.expandtabs(10**12) }}");
    expect_limit("{{ ('a' * 1000000).replace('a', 'b' * 1000000) }}");
    expect_limit("{{ 2 ** 64 }}");
    expect_limit("{{ '%.100000f' % 1.5 }}");
}

TEST(Limits, growing_values_run_out_of_memory) {
    expect_limit(
        "{% set ns = namespace(s='x') %}{% for i in range(99) %}{% set ns.s = ns.s + ns.s %}{% "
        "endfor %}");
    expect_limit(
        "{% set ns = namespace(l=[]) %}{% for i in range(9999) %}{% set ns.l = ns.l + ['x' * 10000 "
        "~ i] %}{% endfor %}");
    expect_limit("{% for i in range(99999) %}{{ 'x' * 100000 }}{% endfor %}");
    expect_limit(
        "{% set ns = namespace(n=none) %}{% for i in range(99999) %}{% for j in range(9) %}{% set "
        "ns.n = namespace(n=ns.n) %}{% endfor %}{% endfor %}");
}

TEST(Limits, nesting_is_bounded) {
    expect_limit("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}");
    expect_limit("{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}");
    expect_limit(
        "{% set ns = namespace(l=[]) %}{% for i in range(9999) %}{% set ns.l = [ns.l] %}{% endfor "
        "%}{{ ns.l }}");
    expect_limit("{% set ns = namespace() %}{% set ns.me = ns %}{{ ns }}");
    expect_limit(
        "{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% "
        "endfor %}{{ ns.l | string | length }}");
    expect_limit(
        "{% set ns = namespace(a=[1], b=[1]) %}{% for i in range(60) %}{% set ns.a = [ns.a, ns.a] "
        "%}{% set ns.b = [ns.b, ns.b] %}{% endfor %}{{ ns.a == ns.b }}");
}

TEST(Limits, deeply_nested_source_is_a_syntax_error) {
    for (const auto& [open, close] :
         {std::pair{"(", ")"}, {"[", "]"}, {"-", ""}, {"{1:", "}"}, {"a(", ")"}, {"a[", "]"}}) {
        const std::string source =
            "{{ " + repeated(open, 100000) + "1" + repeated(close, 100000) + " }}";
        const auto parsed = ChatTemplate::parse(source);
        ASSERT_FALSE(parsed.ok()) << open;
        EXPECT_NE(parsed.status().message().find("deep"), std::string::npos)
            << parsed.status().message();
    }
    EXPECT_FALSE(ChatTemplate::parse(repeated("{% if 1 %}", 100000)).ok());
    EXPECT_FALSE(ChatTemplate::parse("{{ a" + repeated(".b", 100000) + " }}").ok());
    EXPECT_FALSE(ChatTemplate::parse("{{ a" + repeated("|e", 100000) + " }}").ok());
    EXPECT_FALSE(ChatTemplate::parse("{{ " + repeated("1 if 1 else ", 100000) + "1 }}").ok());
    EXPECT_FALSE(ChatTemplate::parse(std::string(5u << 20, 'x')).ok());
}

TEST(Limits, long_chains_of_operators_are_no_nesting) {
    const auto parsed = ChatTemplate::parse(
        "{{ 0" + repeated(" + 1", 50000) + " }}{{ 'a'" + repeated(" ~ 'a'", 9999) + " }}" + "{{ 1" +
        repeated(" and 1", 9999) + " }}{{ " + repeated("not ", 10001) + "1 }}");
    ASSERT_OK(parsed);
    const auto rendered = parsed->render({});
    ASSERT_OK(rendered);
    EXPECT_EQ(rendered->text, "50000" + repeated("a", 10000) + "1False");
}

TEST(Limits, things_that_hold_each_other_are_freed) {
    const auto parsed = ChatTemplate::parse(
        "{% set ns = namespace() %}{% set ns.me = ns %}{% for i in range(999) %}{% macro m() %}{{ "
        "ns }}{% endmacro %}"
        "{% set old = ns.m %}{% set ns.m = m %}{% set ns.l = loop %}{% endfor %}ok");
    ASSERT_OK(parsed);
    const auto rendered = parsed->render({});
    ASSERT_OK(rendered);
    EXPECT_EQ(rendered->text, "ok");
}

TEST(Limits, the_sandbox_keeps_templates_from_changing_or_reaching_anything) {
    for (const char* source :
         {"{{ [].append(1) }}", "{{ {}.update({}) }}", "{{ ''.__class__.__mro__ }}",
          "{{ messages.clear() }}", "{{ '{0.__class__.x}'.format(1) }}",
          "{{ namespace.__init__.__globals__ }}"}) {
        const auto parsed = ChatTemplate::parse(source);
        ASSERT_OK(parsed);
        EXPECT_FALSE(parsed->render({}).ok()) << source;
    }
}

TEST(Limits, deep_messages_are_refused) {
    Json deep = "x";
    for (int i = 0; i < 1000; ++i) deep = Json::array({deep});
    ChatInput input;
    input.messages = deep;
    const auto parsed = ChatTemplate::parse("{{ messages }}");
    ASSERT_OK(parsed);
    const auto rendered = parsed->render(input);
    ASSERT_FALSE(rendered.ok());
    EXPECT_EQ(rendered.status().code(), Code::limit);
}

}  // namespace ingle::chat
