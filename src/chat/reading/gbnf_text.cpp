#include "chat/reading/gbnf_text.h"

namespace ingle::chat {

std::string GbnfText::literal(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') (out += '\\') += c;
        else if (c == '\n') out += "\\n";
        else if (c == '\r') out += "\\r";
        else if (c == '\t') out += "\\t";
        else out += c;
    }
    return out += '"';
}

std::string GbnfText::rule(std::string_view kind, std::string_view body) {
    std::string name = cat(kind, "-", rules_++);
    grammar_.gbnf += cat(name, " ::= ", body, "\n");
    return name;
}

std::string GbnfText::schema(const Json& schema) {
    return part(grammar::Part::Kind::json_schema, "schema", schema.dump());
}

std::string GbnfText::either(const std::vector<std::string>& bodies) {
    std::string out = "(";
    for (const std::string& body : bodies) out += cat(out.size() > 1 ? " | " : "", body);
    return out += ")";
}

ReplyGrammar GbnfText::take(std::string_view root) {
    grammar_.gbnf += cat("root ::= ", root, "\n");
    return std::move(grammar_);
}

std::string GbnfText::part(grammar::Part::Kind kind, std::string_view name, std::string_view text) {
    for (const grammar::Part& part : grammar_.parts)
        if (part.kind == kind && part.text == text) return part.name;
    grammar_.parts.push_back({.kind = kind, .name = cat(name, "-", grammar_.parts.size()), .text = std::string(text)});
    return grammar_.parts.back().name;
}

}  // namespace ingle::chat
