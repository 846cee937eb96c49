// JSON Schema in detail: refusals with their place, limits, and what agents send.

#include "grammar/grammar.h"
#include "support/fixtures.h"
#include "support/stopwatch.h"

namespace ingle::grammar {
namespace {

bool accepts(std::string_view schema, std::string_view text) {
    const auto grammar = Grammar::from_json_schema(schema);
    EXPECT_OK(grammar);
    if (!grammar.ok()) return false;
    const auto verdict = check_text(*grammar, text);
    EXPECT_OK(verdict);
    return verdict.ok() && verdict.value().accepted;
}
std::string refusal(std::string_view schema) {
    const auto grammar = Grammar::from_json_schema(schema);
    EXPECT_FALSE(grammar.ok()) << schema;
    return grammar.ok() ? "" : grammar.status().message();
}

TEST(Schema, RefusalsNameKeywordAndPlace) {
    EXPECT_EQ(refusal(R"({"properties":{"a/b":{"items":{"uniqueItems":true}}}})"),
              "schema, /properties/a~1b/items/uniqueItems: this keyword is not supported");
    EXPECT_EQ(refusal(R"({"anyOf":[true,{"type":"text"}]})"),
              "schema, /anyOf/1/type: expected one of null, boolean, integer, number, string, array, object, "
              "found 'text'");
    EXPECT_TRUE(refusal(R"({"pattern":"foo**"})").starts_with("schema, /pattern: pattern 'foo**', byte 4"));
    EXPECT_TRUE(refusal(R"({"minLength":-1})").starts_with("schema, /minLength: expected a whole number"));
    EXPECT_TRUE(refusal(R"({"$ref":"http://x.org/y"})").starts_with("schema, /$ref: the schema 'http://x.org/y'"));
    EXPECT_TRUE(refusal(R"({"$ref":"#/$defs/none"})").starts_with("schema, /$ref: nothing is at"));
    EXPECT_TRUE(refusal(R"({"unevaluatedProperties":false})").starts_with("schema, /unevaluatedProperties:"));
    EXPECT_TRUE(refusal(R"({"$schema":"http://x.org/dialect"})").starts_with("schema, /$schema: the dialect"));
    EXPECT_NE(refusal(R"({"allOf":[{"$ref":"#"}]})").find("refers to itself"), std::string::npos);
    EXPECT_EQ(refusal("{\"a\":"), "schema: JSON, byte 5: expected a value, found the end");
    EXPECT_EQ(refusal(R"({"type":"string","enum":[1]})"), "schema: no value satisfies it");
    // A tree that never ends.
    EXPECT_EQ(refusal(R"({"type":"object","required":["a"],"properties":{"a":{"$ref":"#"}}})"),
              "schema: no value satisfies it");
    // Impossible inside, but not needed.
    EXPECT_TRUE(accepts(R"({"properties":{"a":{"type":"object","required":["b"],"properties":{"b":false}}}})", "{}"));
    EXPECT_FALSE(accepts(R"({"properties":{"a":{"type":"object","required":["b"],"properties":{"b":false}}}})",
                         R"({"a":{)"));
}

// bug-reports row 21: all compile in less than 100 ms, or the place is named.
TEST(Schema, WhatAgentsSend) {
    EXPECT_TRUE(accepts(R"({"type":"object","properties":{}})", "{}"));
    const char nested[] = R"({"type":"object","properties":{"o":{"type":"object","properties":
        {"s":{"type":"string","maxLength":65536}}}}})";
    const Stopwatch stopwatch;
    EXPECT_TRUE(accepts(nested, R"({"o":{"s":"abc"}})"));
    EXPECT_LT(stopwatch.seconds(), 0.1);
    EXPECT_TRUE(accepts(nested, cat(R"({"o":{"s":")", std::string(65536, 'x'), "\"}}")));
    EXPECT_FALSE(accepts(nested, cat(R"({"o":{"s":")", std::string(65537, 'x'), "\"}}")));
    std::string items = "[0";
    for (int i = 1; i < 10; ++i) items += ",0";
    EXPECT_TRUE(accepts(R"({"type":"array","minItems":10,"maxItems":1000})", items + "]"));
    EXPECT_FALSE(accepts(R"({"type":"array","minItems":10,"maxItems":1000})", "[0]"));
}

// bug-reports row 22: depth is limited, nothing overflows.
TEST(Schema, Pathological) {
    std::string deep;
    for (int i = 0; i < 20000; ++i) deep += R"({"items":)";
    deep += "{}" + std::string(20000, '}');
    EXPECT_NE(refusal(deep).find("nested deeper than 200"), std::string::npos);
    std::string chain = R"({"$ref":"#/$defs/r0","$defs":{)";
    for (int i = 0; i < 5000; ++i) chain += cat("\"r", i, R"(":{"$ref":"#/$defs/r)", i + 1, "\"},");
    const auto refs = Grammar::from_json_schema(chain + R"("r5000":{"type":"null"}}})");
    EXPECT_TRUE(refs.ok() || refs.status().message().find("deep") != std::string::npos);
    std::string required = R"({"$ref":"#/$defs/r0","$defs":{)";
    for (int i = 0; i < 5000; ++i)
        required += cat("\"r", i, R"(":{"type":"object","required":["a"],"properties":{"a":{"$ref":"#/$defs/r)", i + 1,
                        "\"}}},");
    EXPECT_NE(refusal(required + R"("r5000":{"type":"null"}}})").find("nested more than"), std::string::npos);
    // 12 choices of 12 that exclude each other: an answer or a stated limit.
    std::string many = R"({"type":"object","allOf":[)";
    for (int i = 0; i < 12; ++i) {
        many += cat(i > 0 ? "," : "", R"({"oneOf":[)");
        for (int j = 0; j < 12; ++j) many += cat(j > 0 ? "," : "", R"({"required":["p)", i, "_", j, "\"]}");
        many += "]}";
    }
    const Stopwatch stopwatch;
    const auto grammar = Grammar::from_json_schema(many + "]}");
    EXPECT_TRUE(grammar.ok() || grammar.status().code() == Code::unsupported);
    EXPECT_LT(stopwatch.seconds(), 10);
    const auto any = Grammar::from_json_schema("{}");
    ASSERT_OK(any);
    EXPECT_TRUE(check_text(*any, std::string(100000, '[')).value().incomplete);
}

TEST(Schema, NumbersAreExact) {
    const char range[] = R"({"type":"number","minimum":-0.5,"exclusiveMaximum":12.25})";
    for (const char* good : {"-0.5", "-0.50", "0", "-0", "12.2499999999999999999", "12", "-0.4999"})
        EXPECT_TRUE(accepts(range, good)) << good;
    for (const char* bad : {"-0.51", "12.25", "12.250", "13", "100", "-1", "1e1"})
        EXPECT_FALSE(accepts(range, bad)) << bad;
    for (const char* good : {"0", "0.3", "-0.30", "7.2", "30"})
        EXPECT_TRUE(accepts(R"({"multipleOf":0.3})", good)) << good;
    for (const char* bad : {"0.31", "0.1", "1", "0.03"})
        EXPECT_FALSE(accepts(R"({"multipleOf":0.3})", bad)) << bad;
    EXPECT_TRUE(accepts(R"({"const":12345678901234567890123})", "12345678901234567890123"));
    EXPECT_FALSE(accepts(R"({"const":12345678901234567890123})", "12345678901234567890124"));
    EXPECT_TRUE(accepts(R"({"type":"integer"})", "1.00"));
    EXPECT_TRUE(accepts("{}", "-1.5E+10"));
}

TEST(Schema, StringsAreDecoded) {
    const char abc[] = R"({"type":"string","pattern":"^[a-cé😀\n]{3}$"})";
    EXPECT_TRUE(accepts(abc, R"("abc")"));
    EXPECT_TRUE(accepts(abc, R"("a\u0062\n")"));
    EXPECT_TRUE(accepts(abc, R"("\u00E9\ud83d\ude00a")"));
    EXPECT_FALSE(accepts(abc, R"("ab\u0064")"));
    EXPECT_FALSE(accepts(abc, R"("\ud83d")"));
    const auto grammar = Grammar::from_json_schema(abc);
    EXPECT_EQ(check_text(*grammar, R"("\u1)").value().offset, 3u) << "no character can come of it";
    EXPECT_TRUE(accepts(R"({"maxLength":1})", R"("\ud83d\ude00")"));
    EXPECT_TRUE(accepts(R"({"enum":["a\u0001\"ß"]})", R"("a\u0001\"\u00df")"));
    EXPECT_TRUE(accepts(R"({"properties":{"ß\t":{"type":"null"}}})", R"({"\u00DF\t":null})"));
}

TEST(Schema, ObjectsInAnyOrderWithoutRepeats) {
    const char ab[] = R"({"type":"object","properties":{"a":{"type":"null"},"b":{"type":"boolean"}},
        "required":["a"],"additionalProperties":false})";
    EXPECT_TRUE(accepts(ab, R"({"b":true,"a":null})"));
    EXPECT_TRUE(accepts(ab, "{\n  \"a\" : null\n}"));
    EXPECT_FALSE(accepts(ab, R"({"a":null,"a":null})"));
    EXPECT_FALSE(accepts(ab, R"({"b":true})"));
    EXPECT_FALSE(accepts(ab, R"({"a":null,"c":1})"));
    EXPECT_FALSE(accepts(ab, R"({"a":null,})"));
    EXPECT_FALSE(accepts(R"({"maxProperties":1})", R"({"a":1,"b":2})"));
    // What the kind decides.
    const char kinds[] = R"({"oneOf":[
        {"type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number"}},"required":["kind","r"]},
        {"type":"object","properties":{"kind":{"const":"square"},"side":{"type":"number"}},"required":["kind","side"]}]})";
    EXPECT_TRUE(accepts(kinds, R"({"kind":"square","side":2})"));
    EXPECT_TRUE(accepts(kinds, R"({"side":2,"kind":"square"})"));
    EXPECT_FALSE(accepts(kinds, R"({"kind":"circle","side":2})"));
}

}  // namespace
}  // namespace ingle::grammar
