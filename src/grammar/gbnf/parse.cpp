#include "grammar/gbnf/parse.h"

#include <algorithm>

#include "base/utf8.h"
#include "grammar/gbnf/rules.h"

namespace ingle::grammar {

namespace {

constexpr int depth_max = 200;
constexpr uint32_t count_max = 1'000'000;

bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

class Parser {
  public:
    Parser(Expressions& pool, std::string_view text, const TokenNames& names, GbnfRules& rules)
        : pool_(pool), text_(text), names_(names), rules_(rules) {}

    Status parse() {
        skip(true);
        while (at_ < text_.size()) {
            const std::string_view name = word();
            if (name.empty()) return wrong("expected the name of a rule");
            skip(false);
            if (!take("::=")) return wrong("expected ::= behind ", quoted(name));
            skip(true);
            INGLE_ASSIGN(const Expr body, alternatives(0));
            if (at_ < text_.size() && !at_new_line_) return wrong("expected the end of the rule");
            INGLE_TRY(rules_.define(name, body));
        }
        return {};
    }

  private:
    template <class... Parts>
    Status wrong(const Parts&... what) const {
        const std::string_view before = text_.substr(0, at_);
        const size_t line = 1 + size_t(std::count(before.begin(), before.end(), '\n'));
        const size_t start = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
        const std::string_view here = text_.substr(at_, 20);
        return fail(Code::invalid_argument, "grammar, line ", line, ", column ", at_ - start + 1, ": ",
                    what..., here.empty() ? std::string(", found the end")
                                          : cat(", found ", quoted(here)));
    }
    bool take(std::string_view token) {
        if (!text_.substr(at_).starts_with(token)) return false;
        at_ += token.size();
        return true;
    }
    // White space and comments; ends before a line break unless `lines`.
    void skip(bool lines) {
        at_new_line_ = false;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '#') at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
            else if (c == ' ' || c == '\t' || (lines && (c == '\n' || c == '\r'))) ++at_;
            else break;
        }
    }
    std::string_view word() {
        const size_t start = at_;
        while (at_ < text_.size() && is_name(text_[at_])) ++at_;
        return text_.substr(start, at_ - start);
    }

    Result<Expr> alternatives(int depth) {
        if (depth > depth_max) return wrong("groups nested deeper than ", depth_max);
        std::vector<Expr> all;
        while (true) {
            INGLE_ASSIGN(const Expr one, sequence(depth));
            all.push_back(one);
            // A line break ends a rule unless '|' or a group goes on behind it.
            const size_t here = at_;
            skip(true);
            if (take("|")) {
                skip(true);
                continue;
            }
            if (depth == 0) {
                at_new_line_ = text_.substr(here, at_ - here).find_first_of("\r\n") != std::string::npos;
            }
            return pool_.either(std::move(all));
        }
    }

    Result<Expr> sequence(int depth) {
        std::vector<Expr> parts;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '|' || c == ')') break;
            if (c == '\n' || c == '\r') {
                if (depth == 0) break;
                skip(true);
                continue;
            }
            INGLE_ASSIGN(Expr part, element(depth));
            INGLE_TRY(count(part));
            parts.push_back(part);
            skip(depth > 0);
        }
        Expr whole = epsilon;
        for (size_t i = parts.size(); i-- > 0;) whole = pool_.concat(parts[i], whole);
        return whole;
    }

    Result<Expr> element(int depth) {
        const char c = text_[at_];
        if (c == '"') return literal();
        if (c == '[') return char_class();
        if (c == '<' || text_.substr(at_).starts_with("!<")) return token();
        if (take(".")) return characters(pool_, {{0, 0x10ffff}});
        if (take("(")) {
            skip(true);
            INGLE_ASSIGN(const Expr inner, alternatives(depth + 1));
            skip(true);
            if (!take(")")) return wrong("expected ')'");
            return inner;
        }
        if (!is_name(c)) return wrong("expected an element of a rule");
        const std::string_view name = word();
        return rules_.reference(name);
    }

    // The counts behind an element.
    Status count(Expr& part) {
        while (true) {
            const size_t here = at_;
            skip(false);
            uint32_t min = 0, max = unlimited;
            if (take("*")) {
            } else if (take("+")) {
                min = 1;
            } else if (take("?")) {
                max = 1;
            } else if (take("{")) {
                INGLE_TRY(braces(min, max));
            } else {
                at_ = here;
                return {};
            }
            part = pool_.repeat(part, min, max);
        }
    }

    Result<uint32_t> number() {
        const size_t start = at_;
        while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
        const auto value = parse_int(text_.substr(start, at_ - start));
        if (!value) return wrong("expected a count");
        if (*value > int64_t(count_max)) return wrong("a count above ", count_max);
        return uint32_t(*value);
    }

    Status braces(uint32_t& min, uint32_t& max) {
        skip(false);
        if (!take(",")) {
            INGLE_ASSIGN(min, number());
            max = min;
            skip(false);
            if (take("}")) return {};
            if (!take(",")) return wrong("expected ',' or '}'");
            max = unlimited;
        }
        skip(false);
        if (at_ < text_.size() && text_[at_] != '}') {
            INGLE_ASSIGN(max, number());
            skip(false);
        }
        if (!take("}")) return wrong("expected '}'");
        if (max < min) return wrong("a count whose end is below its beginning");
        return {};
    }

    Result<char32_t> character() {
        if (text_[at_] != '\\') {
            const auto [point, length] = utf8::decode(text_.substr(at_));
            if (point == utf8::invalid) return wrong("not UTF-8");
            at_ += size_t(length);
            return point;
        }
        constexpr std::string_view letters = "nrt\\\"[]^-/", meanings = "\n\r\t\\\"[]^-/";
        if (at_ + 1 >= text_.size()) return wrong("an unfinished escape");
        const char c = text_[at_ + 1];
        if (const size_t known = letters.find(c); known != letters.npos) {
            at_ += 2;
            return char32_t(meanings[known]);
        }
        const size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
        const std::string_view code = text_.substr(std::min(at_ + 2, text_.size()), digits);
        uint32_t value = 0;
        const auto [end, error] = std::from_chars(code.data(), code.data() + code.size(), value, 16);
        if (digits == 0 || code.size() < digits || end != code.data() + digits || error != std::errc())
            return wrong("unknown escape");
        if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
            return wrong("no character has this code");
        at_ += 2 + digits;
        return char32_t(value);
    }

    Result<Expr> literal() {
        ++at_;
        std::string bytes;
        while (at_ < text_.size() && text_[at_] != '"') {
            INGLE_ASSIGN(const char32_t point, character());
            utf8::append(bytes, point);
        }
        if (!take("\"")) return wrong("expected '\"'");
        return pool_.literal(bytes);
    }

    Result<Expr> char_class() {
        ++at_;
        const bool negated = take("^");
        PointRanges ranges;
        while (at_ < text_.size() && text_[at_] != ']') {
            INGLE_ASSIGN(const char32_t low, character());
            char32_t high = low;
            if (at_ + 1 < text_.size() && text_[at_] == '-' && text_[at_ + 1] != ']') {
                ++at_;
                INGLE_ASSIGN(high, character());
            }
            if (high < low) return wrong("a range whose end is below its beginning");
            ranges.emplace_back(low, high);
        }
        if (!take("]")) return wrong("expected ']'");
        if (negated) ranges = complement(std::move(ranges));
        return characters(pool_, std::move(ranges));
    }

    Result<Expr> token() {
        const bool negated = take("!");
        ++at_;
        const size_t close = text_.find('>', at_);
        if (close == text_.npos) return wrong("expected '>'");
        const std::string_view inside = text_.substr(at_, close - at_);
        std::optional<uint32_t> id;
        if (inside.starts_with('[') && inside.ends_with(']')) {
            const auto value = parse_int(inside.substr(1, inside.size() - 2));
            if (!value || *value < 0 || *value > INT32_MAX) return wrong("expected a token id in <[..]>");
            id = uint32_t(*value);
        } else {
            const std::string whole = cat("<", inside, ">");
            if (names_) id = names_(whole);
            if (!id)
                return wrong(names_ ? "the vocabulary has no token "
                                    : "a vocabulary is needed to look up the token ",
                             quoted(whole));
        }
        at_ = close + 1;
        return pool_.token(*id, negated);
    }

    Expressions& pool_;
    std::string_view text_;
    const TokenNames& names_;
    GbnfRules& rules_;
    size_t at_ = 0;
    bool at_new_line_ = false;
};

}  // namespace

Result<Expr> parse_gbnf(Expressions& pool, std::string_view text, const TokenNames& names,
                        const std::vector<NamedExpr>& parts, std::string_view root) {
    GbnfRules rules(pool);
    for (const NamedExpr& part : parts) INGLE_TRY(rules.define(part.name, part.body));
    INGLE_TRY(Parser(pool, text, names, rules).parse());
    return rules.finish(root);
}

}  // namespace ingle::grammar
