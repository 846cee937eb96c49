// What a text must look like, compiled from GBNF, a regular expression, a list of choices or a JSON
// Schema; and a matcher that follows one text through it. See docs/GRAMMAR.md.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grammar/automaton.h"
#include "grammar/gbnf/parse.h"
#include "grammar/token_mask.h"

namespace ingle::grammar {

class NormalForms;
class Formulas;

// Not to be used by two threads at once: matching adds states to it.
class Grammar {
  public:
    // `names` looks up <token> by text; without it grammars with such tokens are refused.
    // `parts` are rules that the text calls without defining them.
    static Result<std::shared_ptr<Grammar>> from_gbnf(std::string_view text, const TokenNames& names = {},
                                                      const std::vector<Part>& parts = {});
    // The whole text must match.
    static Result<std::shared_ptr<Grammar>> from_regex(std::string_view pattern);
    static Result<std::shared_ptr<Grammar>> from_choices(const std::vector<std::string>& choices);
    // "{}" allows every JSON value.
    static Result<std::shared_ptr<Grammar>> from_json_schema(std::string_view schema);
    ~Grammar();

    Expressions& expressions() { return *expressions_; }
    Expr root() const { return root_; }

  private:
    Grammar();
    Status finish();
    Result<Expr> schema_call(std::string_view schema);
    Result<Expr> part_body(const Part& part, const TokenNames& names);
    Expr mark_body(std::string_view text, const TokenNames& names);

    std::unique_ptr<Expressions> expressions_;
    std::unique_ptr<Formulas> formulas_;
    std::unique_ptr<NormalForms> forms_;
    Expr root_ = none;
};

// What wakes a grammar that is to hold only from some place of the text on.
struct Triggers {
    std::vector<std::string> words;  // the grammar's text begins with the word
    std::vector<uint32_t> tokens;    // the grammar's text begins with this token's text
    bool empty() const { return words.empty() && tokens.empty(); }
};

// One text on its way through a grammar.
class Matcher {
  public:
    // Without `trie` there are no tokens: accept_text and can_end only.
    // With triggers everything is allowed until one comes.
    explicit Matcher(std::shared_ptr<Grammar> grammar, std::shared_ptr<const TokenTrie> trie = nullptr,
                     Triggers triggers = {});

    // Takes a token. Fails, and stays where it is, if the grammar does not allow it.
    Status accept(uint32_t token);
    // Takes bytes; returns how many of them could be taken. Fewer than given: the text is refused.
    Result<size_t> accept_text(std::string_view text);
    // Whether the text may end here.
    bool can_end() const { return asleep_ || automaton_.accepting(state_); }
    // True if it can do nothing but end.
    bool must_end() const { return !asleep_ && can_end() && automaton_.stacks(state_).empty(); }
    // One bit a token, the lowest id in the lowest bit; empty: everything is allowed. Valid until the
    // matcher is used again. Fails if the grammar's limits are reached.
    Result<std::span<const uint64_t>> allowed();
    void reset();
    const TokenTrie* trie() const { return trie_.get(); }

    static constexpr size_t states_max = 60'000;

  private:
    Status accept_awake(uint32_t token, std::string_view text);
    void keep_within_limit();

    std::shared_ptr<Grammar> grammar_;
    std::shared_ptr<const TokenTrie> trie_;
    Triggers triggers_;
    Automaton automaton_;
    std::unique_ptr<TokenMasks> masks_;
    StateId state_ = Automaton::dead;
    bool asleep_ = false;
    std::string heard_;  // while asleep: as much as a trigger may begin with
};

// How far a text gets.
struct Verdict {
    bool accepted = false;
    bool incomplete = false;  // a good beginning that must go on
    size_t offset = 0;        // of the first byte refused
};
Result<Verdict> check_text(const std::shared_ptr<Grammar>& grammar, std::string_view text);

}  // namespace ingle::grammar
