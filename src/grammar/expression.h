// Regular expressions over bytes, extended by intersection, complement, tests of decimal numbers,
// JSON strings and calls of rules. Nodes are shared and simplified as they are made; a node is also a
// state of an automaton: `step` is its derivative by one byte (Brzozowski, 1964; Owens et al., 2009).
// What a rule stands for is made when it is first needed, so that counters and recursion cost nothing.
#pragma once

#include <bitset>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/function_ref.h"
#include "base/status.h"
#include "grammar/number_test.h"

namespace ingle::grammar {

using Expr = uint32_t;
inline constexpr Expr none = 0;       // matches nothing
inline constexpr Expr epsilon = 1;    // matches the empty text
inline constexpr Expr anything = 2;   // every text
inline constexpr uint32_t unlimited = std::numeric_limits<uint32_t>::max();

using ByteSet = std::bitset<256>;

enum class Kind : uint8_t {
    none, epsilon, bytes, concat, either, both, negation, repeat,
    call,       // a rule, matched with a stack
    lazy,       // a rule, written out in place; never matches the empty text
    token,      // one token of the vocabulary, or one that is not it
    number,     // a NumberTest in some state
    json_text,  // a JSON string whose characters match an expression
};

// Makes the body of a rule.
class Rules {
  public:
    virtual ~Rules() = default;
    virtual Expr body(uint32_t key) = 0;
};

// Where an expression can go on by a rule or a token, and what follows.
struct Head {
    bool is_token = false;
    bool negated = false;  // any token but `target`
    uint32_t target = 0;   // rule or token
    Expr rest = epsilon;
};

class Expressions {
  public:
    Expressions();
    Expressions(const Expressions&) = delete;
    Expressions& operator=(const Expressions&) = delete;

    Expr bytes(const ByteSet& set);
    Expr byte(uint8_t value);
    Expr literal(std::string_view text);
    Expr concat(Expr first, Expr second);
    Expr concat(std::initializer_list<Expr> parts);
    Expr either(std::vector<Expr> parts);
    Expr both(std::vector<Expr> parts);
    Expr negation(Expr part);
    // `part` at least `min` and at most `max` times; `unlimited`: no limit.
    Expr repeat(Expr part, uint32_t min, uint32_t max);
    Expr star(Expr part) { return repeat(part, 0, unlimited); }
    Expr optional(Expr part) { return repeat(part, 0, 1); }
    Expr number(NumberTest test);
    // A JSON string in quotes whose decoded UTF-8 matches `characters`.
    Expr json_text(Expr characters);

    uint32_t add_rule(Rules* rules, uint32_t key);
    void set_rule(uint32_t rule, Expr body);
    Expr rule_body(uint32_t rule);
    Expr call(uint32_t rule);
    Expr lazy(uint32_t rule);
    Expr token(uint32_t id, bool negated);

    // Between min and max characters of any kind, and the closing quote.
    struct PlainText {
        uint32_t min = 0, max = unlimited;
    };
    // Set if the state is inside such a JSON string, between two characters.
    std::optional<PlainText> plain_text(Expr state);
    // Whether the state is inside a JSON string of whatever kind, between two characters.
    bool in_text(Expr state);
    // How many characters may follow the one at hand in a string that is limited like that.
    uint32_t room_in_text(Expr state) const;

    // The state after one byte; `none` if no text with this beginning matches.
    Expr step(Expr state, uint8_t byte);
    Expr step(Expr state, std::string_view text);
    bool nullable(Expr state) const { return nodes_[state].nullable; }
    // True if it contains no intersection, complement or test.
    bool plain(Expr state) const { return !nodes_[state].searched; }
    // False if nothing matches. Searches states breadth-first where shape alone does not tell.
    bool live(Expr state);
    // Whether `step` can lead anywhere, not looking into calls and tokens.
    bool has_bytes(Expr state);
    const std::vector<Head>& heads(Expr state);
    // True if it contains calls or tokens.
    bool has_heads(Expr state) const { return nodes_[state].headed; }

    // The rules that it calls.
    std::vector<uint32_t> calls_in(Expr state) const;
    // For analyses of rules: `of_rule` says what a call counts as.
    bool nullable_if(Expr state, FunctionRef<bool(uint32_t)> of_rule) const;
    bool completable_if(Expr state, FunctionRef<bool(uint32_t)> of_rule) const;
    void first_calls(Expr state, FunctionRef<bool(uint32_t)> nullable_rule,
                     std::vector<uint32_t>& out) const;
    // With calls replaced; `replacement` returns `none` to keep one.
    Expr substitute(Expr state, FunctionRef<Expr(uint32_t)> replacement);

    // The same without the byte `last`, and: the texts that match when `last` follows.
    Expr without_byte(Expr state, uint8_t last);
    Expr before_byte(Expr state, uint8_t last);

    // Whether a search was given up since this was last asked: something counts as dead that may not be.
    bool take_exhausted() { return std::exchange(exhausted_, false); }
    // How many states a search may look at from now on.
    void limit_search(size_t states) { search_max_ = states; }

    // Ok, or the limit of states that was reached; from then on answers are too wide.
    const Status& status() const { return status_; }
    size_t size() const { return nodes_.size(); }

    static constexpr size_t nodes_max = 1'500'000;
    static constexpr size_t lists_max = 16'000'000;  // alternatives of all states together
    static constexpr size_t steps_max = 2'000'000;  // steps remembered; then all are forgotten
    static constexpr size_t search_max = 30'000;        // while a grammar is compiled
    static constexpr size_t search_max_later = 10'000;  // while a text is matched

  private:
    struct Node {
        Kind kind = Kind::none;
        bool nullable = false;
        bool searched = false;  // liveness is not plain from the shape
        bool headed = false;    // contains calls or tokens
        uint32_t a = 0, b = 0, c = 0, d = 0;
        uint64_t value = 0;
    };
    struct NodeHash {
        const Expressions* owner;
        size_t operator()(Expr node) const;
    };
    struct NodeEqual {
        const Expressions* owner;
        bool operator()(Expr one, Expr other) const;
    };
    struct Rule {
        Rules* rules = nullptr;
        uint32_t key = 0;
        bool known = false;
        Expr body = none;
    };

    Expr intern(Node node);
    Expr intern_list(Kind kind, std::vector<Expr> parts);
    std::vector<Expr> parts_of(Expr node) const;
    Expr derive(Expr state, uint8_t byte, bool raw);
    Expr compute(Expr state, uint8_t byte, bool raw);
    Expr number_state(uint32_t test, const NumberState& state);
    Expr text_state(Expr characters, uint32_t phase, uint32_t value, uint32_t high);
    Expr step_text(const Node& node, uint8_t byte);
    Expr step_hex(const Node& node, uint8_t byte);
    Expr after_point(Expr characters, char32_t point);
    bool can_take(Expr characters, char32_t low, char32_t high);
    bool can_take_bytes(Expr characters, const std::vector<std::pair<uint8_t, uint8_t>>& ranges,
                        size_t at);
    // The first byte of every class of bytes that `step` does not tell apart.
    const ByteSet& borders(Expr state);
    ByteSet find_borders(Expr state);
    ByteSet text_borders(const Node& node);
    std::vector<Head> find_heads(Expr state);

    std::vector<Node> nodes_;
    std::vector<Expr> lists_;  // children of either and both: nodes_[i].a is the place, b the count
    std::vector<ByteSet> sets_;
    std::unordered_map<ByteSet, uint32_t> set_ids_;
    std::unordered_set<Expr, NodeHash, NodeEqual> known_;
    std::vector<NumberTest> tests_;
    std::vector<Rule> rules_;
    std::unordered_map<uint64_t, Expr> steps_;
    std::unordered_map<Expr, ByteSet> borders_;
    std::unordered_map<Expr, std::vector<Head>> heads_;
    std::unordered_map<Expr, bool> live_;
    Expr any_character_ = none;
    size_t search_max_ = search_max;
    bool exhausted_ = false;
    Status status_;
};

// One character of these code point ranges as UTF-8; surrogates are left out.
using PointRanges = std::vector<std::pair<char32_t, char32_t>>;
Expr characters(Expressions& pool, PointRanges ranges);
PointRanges complement(PointRanges ranges);
// The byte ranges, one list a shape, that UTF-8 writes the points low..high with.
std::vector<std::vector<std::pair<uint8_t, uint8_t>>> utf8_shapes(char32_t low, char32_t high);

}  // namespace ingle::grammar
