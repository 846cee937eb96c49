// Reading replies in tests: pieces joined, and the same text cut in every way.
#pragma once

#include <gtest/gtest.h>

#include "chat/reply.h"

namespace ingle::chat::test_reading {

struct Joined {
    std::string reasoning, content;
    struct Call {
        std::string name, id, arguments;
        bool operator==(const Call&) const = default;
    };
    std::vector<Call> calls;
    bool operator==(const Joined&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const Joined& joined) {
    out << "reasoning " << joined.reasoning << "\ncontent " << joined.content << "\n";
    for (const auto& call : joined.calls)
        out << "call " << call.name << " id " << call.id << " arguments " << call.arguments << "\n";
    return out;
}

inline void join(const std::vector<ReplyPiece>& pieces, Joined& joined) {
    for (const ReplyPiece& piece : pieces) {
        if (piece.kind == ReplyPiece::Kind::reasoning) joined.reasoning += piece.text;
        if (piece.kind == ReplyPiece::Kind::content) joined.content += piece.text;
        if (piece.kind == ReplyPiece::Kind::call) {
            EXPECT_EQ(size_t(piece.call), joined.calls.size());
            joined.calls.push_back({.name = piece.name, .id = piece.id, .arguments = ""});
        }
        if (piece.kind == ReplyPiece::Kind::arguments) {
            ASSERT_LT(size_t(piece.call), joined.calls.size());
            joined.calls[size_t(piece.call)].arguments += piece.text;
        }
    }
}

inline Joined read(const ReplyStyle& style, const ReplySetup& setup, const std::vector<std::string>& cuts) {
    Joined joined;
    const auto reader = style.make_reader(setup);
    for (const std::string& cut : cuts) join(reader->push(cut), joined);
    join(reader->finish(), joined);
    return joined;
}

// Whole, at every place in two (every seventh of a long text), and byte by byte: all must be the same.
inline Joined read_every_way(const ReplyStyle& style, const ReplySetup& setup, const std::string& text) {
    const Joined whole = read(style, setup, {text});
    std::vector<std::string> bytes;
    for (size_t i = 0; i < text.size(); ++i) {
        bytes.emplace_back(1, text[i]);
        if (text.size() > 200 && i % 7 != 0) continue;
        EXPECT_EQ(read(style, setup, {text.substr(0, i), text.substr(i)}), whole) << "cut at " << i << " of " << text;
    }
    EXPECT_EQ(read(style, setup, bytes), whole) << "byte by byte: " << text;
    for (const auto& call : whole.calls) EXPECT_TRUE(Json::parse(call.arguments, nullptr, false).is_object()) << text;
    return whole;
}

inline const ReplyStyle& style_named(std::string_view name) {
    for (const ReplyStyle* style : reply_styles())
        if (style->name == name) return *style;
    ADD_FAILURE() << "no style " << name;
    return *reply_styles().front();
}

// Two tools, with a parameter of every type.
inline Json two_tools() {
    return Json::parse(R"([
        {"type": "function", "function": {"name": "get_weather", "description": "Get the weather.", "parameters": {
            "type": "object", "additionalProperties": false,
            "properties": {"city": {"type": "string"}, "unit": {"type": "string", "enum": ["celsius", "kelvin"]}},
            "required": ["city"]}}},
        {"type": "function", "function": {"name": "plan_trip", "description": "Plan a trip.", "parameters": {
            "type": "object", "additionalProperties": false,
            "properties": {"title": {"type": "string"}, "days": {"type": "integer"}, "budget": {"type": "number"},
                           "round": {"type": "boolean"}, "stops": {"type": "array", "items": {"type": "string"}},
                           "hotel": {"type": "object", "properties": {"stars": {"type": "integer"},
                                                                      "name": {"type": "string"}},
                                     "required": ["stars", "name"], "additionalProperties": false}},
            "required": ["title", "days", "budget", "round", "stops", "hotel"]}}}])");
}

}  // namespace ingle::chat::test_reading
