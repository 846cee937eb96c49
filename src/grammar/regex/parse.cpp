#include "grammar/regex/parse.h"

#include "base/utf8.h"
#include "grammar/regex/classes.h"

namespace ingle::grammar {

namespace {

constexpr uint8_t begin_mark = 0xfe, end_mark = 0xff;  // bytes that UTF-8 never has
constexpr int depth_max = 200;
constexpr size_t length_max = 10'000;
constexpr uint32_t count_max = 100'000;

class Parser {
  public:
    Parser(Expressions& pool, std::string_view text) : pool_(pool), text_(text) {}

    // `tail`: what may follow the pattern. Lookaheads need it.
    Result<Expr> parse(Expr tail) {
        if (text_.size() > length_max)
            return fail(Code::limit, "a pattern of ", text_.size(), " bytes; at most ", length_max);
        tail_ = tail;
        INGLE_ASSIGN(const Expr whole, alternatives(0, true));
        if (at_ < text_.size()) return wrong("')' without '('");
        return whole;
    }

  private:
    template <class... Parts>
    Status wrong(const Parts&... what) const {
        return fail(Code::invalid_argument, "pattern ", quoted(text_), ", byte ", at_, ": ", what...);
    }
    bool take(std::string_view word) {
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }

    Result<Expr> alternatives(int depth, bool outermost) {
        if (depth > depth_max) return wrong("groups nested deeper than ", depth_max);
        std::vector<Expr> all;
        do {
            INGLE_ASSIGN(const Expr one, sequence(depth, outermost));
            all.push_back(one);
        } while (take("|"));
        return pool_.either(std::move(all));
    }

    // With `outermost` the tail is part of the sequence.
    Result<Expr> sequence(int depth, bool outermost) {
        std::vector<Expr> parts;
        std::vector<std::pair<size_t, Expr>> lookaheads;  // before which part
        while (at_ < text_.size() && text_[at_] != '|' && text_[at_] != ')') {
            const bool ahead = take("(?="), not_ahead = !ahead && take("(?!");
            if (ahead || not_ahead) {
                if (!outermost) return wrong("a lookahead inside a group is not supported");
                INGLE_ASSIGN(const Expr inner, alternatives(depth + 1, false));
                if (!take(")")) return wrong("expected ')'");
                const Expr found = pool_.concat(inner, anything);
                lookaheads.emplace_back(parts.size(), ahead ? found : pool_.negation(found));
                continue;
            }
            INGLE_ASSIGN(const Expr one, quantified(depth));
            parts.push_back(one);
        }
        Expr whole = outermost ? tail_ : epsilon;
        for (size_t i = parts.size() + 1; i-- > 0;) {
            if (i < parts.size()) whole = pool_.concat(parts[i], whole);
            for (const auto& [before, condition] : lookaheads)
                if (before == i) whole = pool_.both({whole, condition});
        }
        return whole;
    }

    Result<Expr> quantified(int depth) {
        const bool anchor = text_[at_] == '^' || text_[at_] == '$';
        INGLE_ASSIGN(Expr part, atom(depth));
        while (at_ < text_.size()) {
            uint32_t min = 0, max = unlimited;
            const size_t before = at_;
            if (take("*")) {
            } else if (take("+")) {
                min = 1;
            } else if (take("?")) {
                max = 1;
            } else if (text_[at_] == '{') {
                INGLE_ASSIGN(const bool counted, braces(min, max));
                if (!counted) return part;
            } else {
                return part;
            }
            if (anchor || before == quantified_until_) {
                at_ = before;
                return wrong("nothing to repeat");
            }
            if (at_ < text_.size() && text_[at_] == '?') ++at_;
            quantified_until_ = at_;
            part = pool_.repeat(part, min, max);
        }
        return part;
    }

    // {2} {2,} {2,5}; false, and nothing taken, if the brace is a plain character.
    Result<bool> braces(uint32_t& min, uint32_t& max) {
        const size_t start = at_++;
        const auto count = [this]() -> std::optional<uint32_t> {
            size_t end = at_;
            while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9') ++end;
            const auto value = parse_int(text_.substr(at_, end - at_));
            at_ = end;
            if (!value) return std::nullopt;
            return *value > int64_t(count_max) ? count_max + 1 : uint32_t(*value);
        };
        const auto low = count();
        std::optional<uint32_t> high = low;
        if (low && take(",")) {
            high = count();
            if (!high) high = unlimited;
        }
        if (!low || !take("}")) {
            at_ = start;
            if (start > 0) return wrong("expected a count such as {2,5}");
            return false;
        }
        min = *low, max = *high;
        if (max < min) return wrong("a count whose end is below its beginning");
        if (min > count_max || (max != unlimited && max > count_max))
            return wrong("a count above ", count_max);
        return true;
    }

    Result<Expr> atom(int depth) {
        const size_t start = at_;
        if (take("^")) return pool_.byte(begin_mark);
        if (take("$")) return pool_.byte(end_mark);
        if (take("(")) {
            if (take("?")) {
                if (take("<") && at_ < text_.size() && text_[at_] != '=' && text_[at_] != '!') {
                    const size_t close = text_.find('>', at_);
                    if (close == text_.npos) return wrong("expected '>'");
                    at_ = close + 1;
                } else if (!take(":")) {
                    at_ = start;
                    return wrong("groups of this kind are not supported");
                }
            }
            INGLE_ASSIGN(const Expr inner, alternatives(depth + 1, false));
            if (!take(")")) return wrong("expected ')'");
            return inner;
        }
        if (take(".")) {
            const PointRanges ends = {{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}};
            return characters(pool_, complement(ends));
        }
        if (text_[at_] == '*' || text_[at_] == '+' || text_[at_] == '?')
            return wrong("nothing to repeat");
        if (text_[at_] == '[' || text_[at_] == '\\') {
            auto ranges = text_[at_] == '[' ? parse_class(text_, at_) : parse_escape(text_, at_, false);
            if (!ranges.ok())
                return std::move(ranges).status().in(cat("pattern ", quoted(text_)));
            return characters(pool_, std::move(*ranges));
        }
        const auto [point, length] = utf8::decode(text_.substr(at_));
        if (point == utf8::invalid) return wrong("not UTF-8");
        at_ += size_t(length);
        return pool_.literal(text_.substr(start, size_t(length)));
    }

    Expressions& pool_;
    std::string_view text_;
    size_t at_ = 0;
    size_t quantified_until_ = size_t(-1);
    Expr tail_ = epsilon;
};

// The texts t for which begin_mark t end_mark matches.
Expr unmarked(Expressions& pool, Expr marked) {
    const Expr begun = pool.without_byte(pool.step(marked, begin_mark), begin_mark);
    const Expr text = pool.before_byte(begun, end_mark);
    // Only complements can match what is not UTF-8.
    return pool.plain(text) ? text : pool.both({text, any_text(pool)});
}

}  // namespace

Expr any_text(Expressions& pool) { return pool.star(characters(pool, {{0, 0x10ffff}})); }

Result<Expr> parse_pattern(Expressions& pool, std::string_view pattern) {
    // Around the match: nothing, or any text and the mark that ^ or $ did not take.
    const Expr text = any_text(pool);
    const Expr before = pool.optional(pool.concat(pool.byte(begin_mark), text));
    const Expr after = pool.optional(pool.concat(text, pool.byte(end_mark)));
    INGLE_ASSIGN(const Expr found, Parser(pool, pattern).parse(after));
    return unmarked(pool, pool.concat(before, found));
}

Result<Expr> parse_regex(Expressions& pool, std::string_view pattern) {
    const Expr end = pool.optional(pool.byte(end_mark));
    INGLE_ASSIGN(const Expr whole, Parser(pool, pattern).parse(end));
    return unmarked(pool, pool.concat(pool.optional(pool.byte(begin_mark)), whole));
}

}  // namespace ingle::grammar
