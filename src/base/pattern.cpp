#include "base/pattern.h"

#include <optional>

namespace ingle {

namespace {

constexpr int nesting_max = 32;
constexpr int repeats_max = 255;

using ByteSet = std::bitset<256>;

ByteSet range_of(unsigned char first, unsigned char last) {
    ByteSet set;
    for (unsigned byte = first; byte <= last; ++byte) set.set(byte);
    return set;
}

// \d \w \s and, as capitals, what is not of them.
std::optional<ByteSet> class_of(char letter) {
    const ByteSet digits = range_of('0', '9');
    const ByteSet words = digits | range_of('a', 'z') | range_of('A', 'Z') | range_of('_', '_');
    const ByteSet spaces = range_of('\t', '\r') | range_of(' ', ' ');
    switch (letter) {
        case 'd':
            return digits;
        case 'D':
            return ~digits;
        case 'w':
            return words;
        case 'W':
            return ~words;
        case 's':
            return spaces;
        case 'S':
            return ~spaces;
        default:
            return std::nullopt;
    }
}

// The only byte of a set.
unsigned char byte_of(const ByteSet& set) {
    unsigned byte = 0;
    while (byte < 255 && !set.test(byte)) ++byte;
    return static_cast<unsigned char>(byte);
}

ByteSet only(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return range_of(byte, byte);
}

char escaped(char letter) {
    switch (letter) {
        case 'n':
            return '\n';
        case 'r':
            return '\r';
        case 't':
            return '\t';
        default:
            return letter;
    }
}

bool is_letter_or_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

// Parses by descent over brackets only, `nesting_max` deep, into a tree whose nodes stand in one
// vector; then writes the automaton from its end to its beginning.
class PatternCompiler {
  public:
    explicit PatternCompiler(std::string_view text) : text_(text) {}

    Result<Pattern> run() {
        INGLE_ASSIGN(const size_t root, alternatives(0));
        if (at_ < text_.size()) return wrong("an unmatched ')'");
        pattern_.text_ = std::string(text_);
        const uint32_t match = add({Pattern::Kind::match});
        pattern_.start_ = write(root, match);
        if (overflowed())
            return fail(Code::limit, "pattern ", quoted(text_), " takes more than ",
                        Pattern::states_max, " states");
        return std::move(pattern_);
    }

  private:
    using Kind = Pattern::Kind;
    enum class Shape { bytes, begin, end, sequence, choice, repeat };
    struct Node {
        Shape shape;
        uint32_t set = 0;
        std::vector<size_t> children = {};
        int least = 0;
        int most = 0;  // -1: without end
    };

    Status wrong(std::string_view what) const {
        return fail(Code::invalid_argument, "pattern ", quoted(text_), ": ", what, " at position ",
                    at_);
    }

    bool more() const { return at_ < text_.size(); }
    bool next_is(char c) const { return more() && text_[at_] == c; }
    bool take(char c) { return next_is(c) && (++at_, true); }

    size_t make(Node node) {
        nodes_.push_back(std::move(node));
        return nodes_.size() - 1;
    }
    size_t make_bytes(const ByteSet& set) {
        pattern_.sets_.push_back(set);
        return make({Shape::bytes, uint32_t(pattern_.sets_.size() - 1)});
    }

    Result<size_t> alternatives(int depth) {
        if (depth > nesting_max) return wrong("brackets nested deeper than 32");
        std::vector<size_t> choices;
        do {
            INGLE_ASSIGN(const size_t branch, sequence(depth));
            choices.push_back(branch);
        } while (take('|'));
        if (choices.size() == 1) return choices[0];
        return make({Shape::choice, 0, std::move(choices)});
    }

    Result<size_t> sequence(int depth) {
        std::vector<size_t> parts;
        while (more() && !next_is('|') && !next_is(')')) {
            INGLE_ASSIGN(size_t part, atom(depth));
            INGLE_ASSIGN(part, repeated(part));
            parts.push_back(part);
        }
        return make({Shape::sequence, 0, std::move(parts)});
    }

    Result<size_t> atom(int depth) {
        const char c = text_[at_];
        if (c == '*' || c == '+' || c == '?' || c == '{') return wrong("nothing to repeat");
        if (c == '(') return group(depth);
        if (c == '[') return bracket();
        ++at_;
        if (c == '^') return make({Shape::begin});
        if (c == '$') return make({Shape::end});
        if (c == '.') return make_bytes(~range_of('\n', '\n'));
        if (c != '\\') return make_bytes(only(c));
        INGLE_ASSIGN(const ByteSet set, escape());
        return make_bytes(set);
    }

    Result<size_t> group(int depth) {
        ++at_;
        if (next_is('?')) {
            if (text_.substr(at_, 2) != "?:") return wrong("an unknown kind of '(?'");
            at_ += 2;
        }
        INGLE_ASSIGN(const size_t inside, alternatives(depth + 1));
        if (!take(')')) return wrong("a missing ')'");
        return inside;
    }

    // After the backslash.
    Result<ByteSet> escape() {
        if (!more()) return wrong("a '\\' at the end");
        const char letter = text_[at_++];
        if (const auto set = class_of(letter)) return *set;
        const char meant = escaped(letter);
        if (meant == letter && is_letter_or_digit(letter)) {
            --at_;
            return wrong("an unknown escape");
        }
        return only(meant);
    }

    Result<size_t> bracket() {
        ++at_;
        const bool inverted = take('^');
        ByteSet set;
        bool first = true;
        while (first || !next_is(']')) {
            if (!more()) return wrong("a missing ']'");
            first = false;
            INGLE_ASSIGN(const ByteSet low, bracket_item());
            if (!next_is('-') || at_ + 1 >= text_.size() || text_[at_ + 1] == ']') {
                set |= low;
                continue;
            }
            ++at_;
            INGLE_ASSIGN(const ByteSet high, bracket_item());
            if (low.count() != 1 || high.count() != 1 || byte_of(low) > byte_of(high))
                return wrong("a range that does not ascend");
            set |= range_of(byte_of(low), byte_of(high));
        }
        ++at_;
        return make_bytes(inverted ? ~set : set);
    }

    Result<ByteSet> bracket_item() {
        if (!more()) return wrong("a missing ']'");
        const char c = text_[at_++];
        if (c == '\\') return escape();
        return only(c);
    }

    Result<size_t> repeated(size_t part) {
        while (more()) {
            int least = 0, most = -1;
            if (next_is('{')) {
                INGLE_TRY(counts(least, most));
            } else if (take('*')) {
            } else if (take('+')) {
                least = 1;
            } else if (take('?')) {
                most = 1;
            } else {
                break;
            }
            take('?');
            part = make({Shape::repeat, 0, {part}, least, most});
            // (((a*)*)*)* would nest without brackets of its own.
            if (next_is('*') || next_is('+') || next_is('?') || next_is('{'))
                return wrong("a repetition of a repetition");
        }
        return part;
    }

    Status counts(int& least, int& most) {
        const size_t close = text_.find('}', at_);
        if (close == std::string_view::npos) return wrong("a missing '}'");
        const std::string_view inside = text_.substr(at_ + 1, close - at_ - 1);
        const size_t comma = inside.find(',');
        const auto low = parse_int(inside.substr(0, comma));
        auto high = low;
        if (comma != std::string_view::npos) {
            const std::string_view rest = inside.substr(comma + 1);
            high = rest.empty() ? std::optional<int64_t>(-1) : parse_int(rest);
        }
        if (!low || !high || *low < 0 || *low > repeats_max || *high > repeats_max ||
            (*high >= 0 && *high < *low) || *high < -1)
            return wrong("a repetition that is not {N}, {N,} or {N,M} with at most 255");
        least = int(*low);
        most = int(*high);
        at_ = close + 1;
        return {};
    }

    bool overflowed() const {
        return pattern_.states_.size() > Pattern::states_max || steps_ > 8 * Pattern::states_max;
    }

    uint32_t add(Pattern::State state) {
        if (!overflowed()) pattern_.states_.push_back(state);
        // Beyond the limit numbers mean nothing; the automaton is thrown away.
        return uint32_t(pattern_.states_.size() - 1);
    }

    // States for a node that go on to `next`; returns the first of them.
    uint32_t write(size_t index, uint32_t next) {
        if (++steps_; overflowed()) return next;
        const Node node = nodes_[index];
        switch (node.shape) {
            case Shape::bytes:
                return add({Kind::bytes, node.set, next});
            case Shape::begin:
                return add({Kind::begin, 0, next});
            case Shape::end:
                return add({Kind::end, 0, next});
            case Shape::sequence:
                for (size_t i = node.children.size(); i-- > 0;)
                    next = write(node.children[i], next);
                return next;
            case Shape::choice: {
                uint32_t first = write(node.children.back(), next);
                for (size_t i = node.children.size() - 1; i-- > 0;)
                    first = add({Kind::split, 0, write(node.children[i], next), first});
                return first;
            }
            case Shape::repeat:
                return write_repeat(node, next);
        }
        return next;
    }

    uint32_t write_repeat(const Node& node, uint32_t next) {
        const size_t body = node.children[0];
        if (node.most < 0) {
            const uint32_t loop = add({Kind::split, 0, 0, next});
            const uint32_t first = write(body, loop);
            pattern_.states_[loop].next = first;
            next = loop;
        }
        const uint32_t past = next;  // an optional copy may be left for what follows all of them
        for (int i = node.least; i < node.most && !overflowed(); ++i)
            next = add({Kind::split, 0, write(body, next), past});
        for (int i = 0; i < node.least && !overflowed(); ++i) next = write(body, next);
        return next;
    }

    std::string_view text_;
    size_t at_ = 0;
    std::vector<Node> nodes_;
    Pattern pattern_;
    size_t steps_ = 0;  // calls of write: bounded, too, as a repeated nothing adds no state
};

Result<Pattern> Pattern::compile(std::string_view text) {
    return PatternCompiler(text).run();
}

bool Pattern::found_in(std::string_view text) const {
    std::vector<uint32_t> current, following, pending;
    std::vector<size_t> seen(states_.size(),
                             0);  // the position (plus one) a state was last added at
    // Adds a state and all that it leads to without a byte; true once that reaches the end.
    const auto add = [&](uint32_t first, size_t at, std::vector<uint32_t>& list) {
        pending.assign(1, first);
        while (!pending.empty()) {
            const uint32_t index = pending.back();
            pending.pop_back();
            if (seen[index] == at + 1) continue;
            seen[index] = at + 1;
            const State& state = states_[index];
            switch (state.kind) {
                case Kind::match:
                    return true;
                case Kind::bytes:
                    list.push_back(index);
                    break;
                case Kind::split:
                    pending.push_back(state.next);
                    pending.push_back(state.other);
                    break;
                case Kind::begin:
                    if (at == 0) pending.push_back(state.next);
                    break;
                case Kind::end:
                    if (at == text.size()) pending.push_back(state.next);
                    break;
            }
        }
        return false;
    };
    for (size_t at = 0;; ++at) {
        if (add(start_, at, current)) return true;
        if (at == text.size()) return false;
        following.clear();
        for (const uint32_t index : current) {
            const State& state = states_[index];
            if (!sets_[state.set].test(static_cast<unsigned char>(text[at]))) continue;
            if (add(state.next, at + 1, following)) return true;
        }
        std::swap(current, following);
    }
}

}  // namespace ingle
