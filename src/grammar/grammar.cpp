#include "grammar/grammar.h"

#include <algorithm>

#include "grammar/regex/parse.h"
#include "grammar/schema/read.h"

namespace ingle::grammar {

Grammar::Grammar() : expressions_(std::make_unique<Expressions>()) {}
Grammar::~Grammar() = default;

Status Grammar::finish() {
    const bool dead = !expressions_->has_heads(root_) && !expressions_->live(root_);
    if (expressions_->take_exhausted())
        return fail(Code::limit, "no text was found among ", Expressions::search_max, " states of the grammar");
    if (dead) return fail(Code::invalid_argument, "the grammar matches no text");
    expressions_->limit_search(Expressions::search_max_later);
    return expressions_->status();
}

Result<Expr> Grammar::schema_call(std::string_view schema) {
    if (!forms_) {
        formulas_ = std::make_unique<Formulas>();
        forms_ = std::make_unique<NormalForms>(*expressions_, *formulas_);
    }
    auto json = Json::parse(schema);
    if (!json.ok()) return std::move(json).status().in("schema");
    INGLE_ASSIGN(const Formula root, read_schema(*forms_, *json));
    INGLE_TRY(forms_->complete(root));
    return expressions_->call(forms_->rule(root));
}

Result<Expr> Grammar::part_body(const Part& part, const TokenNames& names) {
    if (part.kind == Part::Kind::json_schema) return schema_call(part.text);
    if (part.kind == Part::Kind::mark) return mark_body(part.text, names);
    Expressions& pool = *expressions_;
    return pool.both({pool.star(characters(pool, {{0, 0x10ffff}})),
                      pool.negation(pool.concat({anything, pool.literal(part.text), anything}))});
}

// The text may hold several tokens, and plain text between them.
Expr Grammar::mark_body(std::string_view text, const TokenNames& names) {
    Expressions& pool = *expressions_;
    Expr whole = epsilon;
    for (size_t at = 0; at < text.size();) {
        size_t length = 1;
        std::optional<uint32_t> token;
        for (size_t tried = text.size() - at; names && tried > 2 && !token; --tried)
            if (text[at] == '<' || text[at] == '[' || uint8_t(text[at]) >= 0xc0) {
                token = names(text.substr(at, tried));
                if (token) length = tried;
            }
        const Expr bytes = pool.literal(text.substr(at, length));
        whole = pool.concat(whole, token ? pool.either({bytes, pool.token(*token, false)}) : bytes);
        at += length;
    }
    return whole;
}

Result<std::shared_ptr<Grammar>> Grammar::from_gbnf(std::string_view text, const TokenNames& names,
                                                    const std::vector<Part>& parts) {
    std::shared_ptr<Grammar> grammar(new Grammar);
    std::vector<NamedExpr> bodies;
    for (const Part& part : parts) {
        auto body = grammar->part_body(part, names);
        if (!body.ok()) return std::move(body).status().in(part.name);
        bodies.push_back({.name = part.name, .body = *body});
    }
    INGLE_ASSIGN(grammar->root_, parse_gbnf(*grammar->expressions_, text, names, bodies));
    INGLE_TRY(grammar->finish());
    return grammar;
}

Result<std::shared_ptr<Grammar>> Grammar::from_regex(std::string_view pattern) {
    std::shared_ptr<Grammar> grammar(new Grammar);
    INGLE_ASSIGN(grammar->root_, parse_regex(*grammar->expressions_, pattern));
    INGLE_TRY(grammar->finish());
    return grammar;
}

Result<std::shared_ptr<Grammar>> Grammar::from_choices(const std::vector<std::string>& choices) {
    std::shared_ptr<Grammar> grammar(new Grammar);
    std::vector<Expr> all;
    for (const std::string& choice : choices) all.push_back(grammar->expressions_->literal(choice));
    grammar->root_ = grammar->expressions_->either(std::move(all));
    INGLE_TRY(grammar->finish());
    return grammar;
}

Result<std::shared_ptr<Grammar>> Grammar::from_json_schema(std::string_view schema) {
    std::shared_ptr<Grammar> grammar(new Grammar);
    INGLE_ASSIGN(grammar->root_, grammar->schema_call(schema));
    INGLE_TRY(grammar->finish());
    return grammar;
}

Matcher::Matcher(std::shared_ptr<Grammar> grammar, std::shared_ptr<const TokenTrie> trie, Triggers triggers)
    : grammar_(std::move(grammar)),
      trie_(std::move(trie)),
      triggers_(std::move(triggers)),
      automaton_(grammar_->expressions()) {
    if (trie_) masks_ = std::make_unique<TokenMasks>(automaton_, trie_);
    reset();
}

void Matcher::reset() {
    state_ = automaton_.start(grammar_->root());
    asleep_ = !triggers_.empty();
    heard_.clear();
}

void Matcher::keep_within_limit() {
    if (automaton_.size() < states_max) return;
    state_ = automaton_.compact(state_);
    if (masks_) masks_->forget_states();
}

Result<size_t> Matcher::accept_text(std::string_view text) {
    keep_within_limit();
    for (size_t i = 0; i < text.size(); ++i) {
        const StateId next = automaton_.step(state_, uint8_t(text[i]));
        INGLE_TRY(automaton_.status());
        if (next == Automaton::dead) return i;
        state_ = next;
        if (i % 1024 == 1023) keep_within_limit();
    }
    return text.size();
}

Status Matcher::accept_awake(uint32_t token, std::string_view text) {
    keep_within_limit();
    const auto ends = trie_->end_tokens();
    if (std::find(ends.begin(), ends.end(), token) != ends.end()) {
        if (can_end()) return {};
        return fail(Code::invalid_argument, "the grammar does not allow the text to end here");
    }
    StateId next = automaton_.step_token(state_, token);
    if (next == Automaton::dead && !text.empty()) {
        next = state_;
        for (const char c : text) next = automaton_.step(next, uint8_t(c));
    }
    INGLE_TRY(automaton_.status());
    if (next == Automaton::dead)
        return fail(Code::invalid_argument, "the grammar does not allow token ", token, ", ", quoted(text));
    state_ = next;
    return {};
}

Status Matcher::accept(uint32_t token) {
    if (token >= trie_->size())
        return fail(Code::invalid_argument, "token ", token, " is outside the vocabulary");
    const std::string& text = trie_->text(token);
    if (!asleep_) return accept_awake(token, text);
    if (std::find(triggers_.tokens.begin(), triggers_.tokens.end(), token) != triggers_.tokens.end()) {
        asleep_ = false;
        return accept_awake(token, text);
    }
    heard_ += text;
    size_t first = std::string::npos, longest = 1;
    for (const std::string& word : triggers_.words) {
        if (!word.empty()) first = std::min(first, heard_.find(word));
        longest = std::max(longest, word.size());
    }
    if (first == std::string::npos) {
        if (heard_.size() >= longest) heard_.erase(0, heard_.size() - longest + 1);
        return {};
    }
    asleep_ = false;
    const std::string begun = heard_.substr(first);
    INGLE_ASSIGN(const size_t taken, accept_text(begun));
    if (taken < begun.size())
        return fail(Code::invalid_argument, "the grammar does not allow the text that woke it: ", quoted(begun));
    return {};
}

Result<std::span<const uint64_t>> Matcher::allowed() {
    if (asleep_) return std::span<const uint64_t>();
    keep_within_limit();
    const auto bits = masks_->allowed(state_);
    INGLE_TRY(automaton_.status());
    return bits;
}

Result<Verdict> check_text(const std::shared_ptr<Grammar>& grammar, std::string_view text) {
    Matcher matcher(grammar);
    INGLE_ASSIGN(const size_t taken, matcher.accept_text(text));
    const bool whole = taken == text.size();
    return Verdict{.accepted = whole && matcher.can_end(), .incomplete = whole && !matcher.can_end(),
                   .offset = taken};
}

}  // namespace ingle::grammar
