// The statement half of the parser.
#include "chat/jinja/parser.h"

#include <algorithm>

namespace ingle::jinja {

namespace {

Output output_of(Expression value) {
    Output output;
    output.values.push_back(std::move(value));
    return output;
}

constexpr std::string_view reserved[] = {"true", "false", "none", "True", "False", "None"};

}  // namespace

Parser::Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {
    for (const char* name : {"loop", "caller", "varargs", "kwargs"}) symbol(name);
}

int Parser::symbol(const std::string& name) {
    const auto [at, added] = numbers_.try_emplace(name, int(symbols_.size()));
    if (added) symbols_.push_back(name);
    for (MacroDefinition* macro : macros_) {
        macro->uses_caller |= at->second == Syntax::caller;
        macro->uses_varargs |= at->second == Syntax::varargs;
        macro->uses_kwargs |= at->second == Syntax::kwargs;
    }
    return at->second;
}

bool Parser::skip_sign(std::string_view sign) {
    const bool found = current().is_sign(sign);
    if (found) next();
    return found;
}

bool Parser::skip_name(std::string_view name) {
    const bool found = current().is_name(name);
    if (found) next();
    return found;
}

Status Parser::unexpected(std::string_view expected) const {
    static constexpr std::string_view kinds[] = {"template text",
                                                 "'{{'",
                                                 "end of print statement",
                                                 "'{%'",
                                                 "end of statement block",
                                                 "name",
                                                 "text",
                                                 "number",
                                                 "number",
                                                 "sign",
                                                 "end of template"};
    const Token& token = current();
    const std::string shown = token.text.empty() || token.is(Kind::data)
                                  ? std::string(kinds[size_t(token.kind)])
                                  : quoted(token.text);
    return error(cat("expected ", expected, ", got ", shown));
}

Status Parser::expect_sign(std::string_view sign) {
    return skip_sign(sign) ? Status() : unexpected(cat("'", sign, "'"));
}

Status Parser::expect(Kind kind) {
    if (!current().is(kind))
        return unexpected(kind == Kind::name ? "a name" : "the end of the statement");
    next();
    return Status();
}

Status Parser::too_deep() const {
    if (depth_ <= syntax_depth_max) return Status();
    return error(cat("nested more than ", syntax_depth_max, " levels deep"));
}

Result<Syntax> Parser::run() {
    INGLE_ASSIGN(Block body, block_until({}));
    if (!unknown_.empty()) return unknown_.front();
    return Syntax{std::move(body), std::move(symbols_)};
}

// Statements until a tag of one of these names, which becomes the current token.
Result<Block> Parser::block_until(std::initializer_list<std::string_view> ends) {
    const Depth depth(depth_);
    INGLE_TRY(too_deep());
    Block block;
    for (;;) {
        const Token& token = current();
        if (token.is(Kind::data)) {
            block.push_back({Data{std::make_shared<const Text>(token.text)}, token.at});
            next();
        } else if (token.is(Kind::variable_begin)) {
            next();
            const Position at = current().at;
            INGLE_ASSIGN(Expression value, tuple(false));
            if (!current().is(Kind::variable_end)) return unexpected("end of print statement");
            next();
            block.push_back({output_of(std::move(value)), at});
        } else if (token.is(Kind::block_begin)) {
            next();
            if (std::any_of(ends.begin(), ends.end(),
                            [&](std::string_view end) { return current().is_name(end); }))
                return block;
            INGLE_ASSIGN(Statement made, statement());
            INGLE_TRY(expect(Kind::block_end));
            block.push_back(std::move(made));
        } else {
            if (ends.size() == 0) return block;
            std::string expected;
            for (const std::string_view end : ends)
                expected += cat(expected.empty() ? "" : " or ", "'", end, "'");
            return unexpected(expected);
        }
    }
}

Result<Statement> Parser::statement() {
    struct Tag {
        std::string_view name;
        Result<Statement> (Parser::*parse)();
    };
    static constexpr Tag tags[] = {
        {"if", &Parser::if_statement},
        {"for", &Parser::for_statement},
        {"set", &Parser::set_statement},
        {"macro", &Parser::macro_statement},
        {"call", &Parser::call_statement},
        {"filter", &Parser::filter_statement},
        {"with", &Parser::with_statement},
        {"print", &Parser::print_statement},
        {"block", &Parser::block_statement},
        {"generation", &Parser::generation_statement},
        {"autoescape", &Parser::autoescape_statement},
        {"break", &Parser::break_statement},
        {"continue", &Parser::continue_statement},
        {"include", &Parser::refused},
        {"import", &Parser::refused},
        {"from", &Parser::refused},
        {"extends", &Parser::refused},
    };
    const Token token = current();
    if (!token.is(Kind::name)) return unexpected("the name of a tag");
    for (const Tag& tag : tags) {
        if (token.text != tag.name) continue;
        next();
        INGLE_ASSIGN(Statement made, (this->*tag.parse)());
        made.at = token.at;
        return made;
    }
    return error(cat("Encountered unknown tag '", token.text, "'."));
}

Result<Statement> Parser::refused() {
    const Position at = tokens_[at_ - 1].at;
    return fail(Code::unsupported, "line ", at.line, ", column ", at.column, ": '",
                tokens_[at_ - 1].text,
                "' needs other template files, and a chat template has none");
}

Result<Statement> Parser::if_statement() {
    If node;
    const Depth soft(soft_);
    for (;;) {
        INGLE_ASSIGN(Expression test, tuple(false));
        INGLE_TRY(head_end());
        INGLE_ASSIGN(Block body, block_until({"elif", "else", "endif"}));
        node.branches.emplace_back(std::move(test), std::move(body));
        if (!skip_name("elif")) break;
    }
    if (skip_name("else")) {
        INGLE_TRY(head_end());
        INGLE_ASSIGN(node.otherwise, block_until({"endif"}));
    }
    next();
    return Statement{std::move(node), {}};
}

Result<Statement> Parser::for_statement() {
    INGLE_ASSIGN(Target names, target(false));
    if (!skip_name("in")) return unexpected("'in'");
    INGLE_ASSIGN(Expression iterable, iterable_expression());
    For node{std::move(names), std::move(iterable), nullptr, {}, {}, false};
    {
        const Frame frame = own_frame();
        if (skip_name("if")) {
            INGLE_ASSIGN(Expression filter, expression());
            node.filter = boxed(std::move(filter));
        }
        node.recursive = skip_name("recursive");
        INGLE_TRY(head_end());
        ++loops_;
        INGLE_ASSIGN(node.body, block_until({"endfor", "else"}));
    }
    if (skip_name("else")) {
        const Frame frame = own_frame(true);
        INGLE_TRY(head_end());
        INGLE_ASSIGN(node.otherwise, block_until({"endfor"}));
    }
    next();
    return Statement{std::move(node), {}};
}

// What a loop goes through: no condition of its own, since "if" filters the loop.
Result<Expression> Parser::iterable_expression() {
    SequenceLiteral node{{}, Sequence::Flavour::tuple};
    const Position at = current().at;
    INGLE_ASSIGN(Expression first, logic(true));
    if (!current().is_sign(",")) return first;
    node.items.push_back(std::move(first));
    while (skip_sign(",")) {
        if (current().is(Kind::block_end) || current().is_name("recursive")) break;
        INGLE_ASSIGN(Expression item, logic(true));
        node.items.push_back(std::move(item));
    }
    return Expression{std::move(node), at};
}

Result<Target> Parser::one_target(bool with_namespace) {
    const Position at = current().at;
    if (skip_sign("(")) {
        INGLE_ASSIGN(Target inside, target(false));
        INGLE_TRY(expect_sign(")"));
        return inside;
    }
    if (!current().is(Kind::name)) return unexpected("a name to assign to");
    const std::string name = current().text;
    if (std::find(std::begin(reserved), std::end(reserved), name) != std::end(reserved))
        return error(cat("can't assign to '", name, "'"));
    next();
    Target one{symbol(name), {}, {}, at};
    if (with_namespace && skip_sign(".")) {
        one.attribute = current().text;
        INGLE_TRY(expect(Kind::name));
    }
    return one;
}

Result<Target> Parser::target(bool with_namespace) {
    const Depth depth(depth_);
    INGLE_TRY(too_deep());
    const Position at = current().at;
    INGLE_ASSIGN(Target first, one_target(with_namespace));
    if (!current().is_sign(",")) return first;
    Target several{-1, {}, {}, at};
    several.parts.push_back(std::move(first));
    while (skip_sign(",")) {
        if (!current().is(Kind::name) && !current().is_sign("(")) break;
        if (current().is_name("in")) break;
        INGLE_ASSIGN(Target part, one_target(with_namespace));
        several.parts.push_back(std::move(part));
    }
    return several;
}

Result<Statement> Parser::set_statement() {
    INGLE_ASSIGN(Target names, target(true));
    if (skip_sign("=")) {
        INGLE_ASSIGN(Expression value, tuple(false));
        return Statement{Set{std::move(names), std::move(value)}, {}};
    }
    if (!names.parts.empty()) return unexpected("'='");
    const Frame frame = own_frame();
    SetBlock node{std::move(names), nullptr, {}};
    if (skip_sign("|")) {
        INGLE_ASSIGN(Expression chain, filter_chain());
        node.filter = boxed(std::move(chain));
    }
    INGLE_TRY(head_end());
    INGLE_ASSIGN(node.body, block_until({"endset"}));
    next();
    return Statement{std::move(node), {}};
}

// name(...) | name | ..., applied to the text of a block.
Result<Expression> Parser::filter_chain() {
    INGLE_ASSIGN(Expression chain, filter(nullptr));
    for (int links = 0; skip_sign("|"); ++links) {
        if (links > syntax_depth_max) return error("too many filters in a row");
        INGLE_ASSIGN(chain, filter(boxed(std::move(chain))));
    }
    return chain;
}

Status Parser::parameters(MacroDefinition& definition) {
    INGLE_TRY(expect_sign("("));
    while (!current().is_sign(")")) {
        if (!definition.parameters.empty()) INGLE_TRY(expect_sign(","));
        if (current().is_sign(")")) break;
        MacroDefinition::Parameter parameter{-1, current().text, nullptr};
        INGLE_ASSIGN(const Target name, one_target(false));
        if (name.symbol < 0) return error("a parameter is a name");
        parameter.symbol = name.symbol;
        if (skip_sign("=")) {
            INGLE_ASSIGN(Expression otherwise, expression());
            parameter.otherwise = boxed(std::move(otherwise));
        } else if (!definition.parameters.empty() && definition.parameters.back().otherwise) {
            return error("non-default argument follows default argument");
        }
        definition.parameters.push_back(std::move(parameter));
    }
    return expect_sign(")");
}

Status Parser::macro_body(MacroDefinition& definition, std::string_view end) {
    const Frame frame = own_frame();
    INGLE_TRY(head_end());
    macros_.push_back(&definition);
    auto body = block_until({end});
    macros_.pop_back();
    if (!body.ok()) return std::move(body).status();
    definition.body = std::move(*body);
    next();
    return Status();
}

Result<Statement> Parser::macro_statement() {
    const std::string name = current().text;
    INGLE_ASSIGN(const Target place, one_target(false));
    if (place.symbol < 0) return error("a macro has one name");
    Macro node{place.symbol, {name}};
    INGLE_TRY(parameters(node.definition));
    INGLE_TRY(macro_body(node.definition, "endmacro"));
    return Statement{std::move(node), {}};
}

Result<Statement> Parser::call_statement() {
    MacroDefinition definition{"caller"};
    if (current().is_sign("(")) INGLE_TRY(parameters(definition));
    INGLE_ASSIGN(Expression call, expression());
    if (!std::holds_alternative<CallExpression>(call.node)) return error("expected call");
    INGLE_TRY(macro_body(definition, "endcall"));
    return Statement{CallBlock{std::move(definition), std::move(call)}, {}};
}

Result<Statement> Parser::filter_statement() {
    const Frame frame = own_frame();
    INGLE_ASSIGN(Expression chain, filter_chain());
    INGLE_TRY(head_end());
    INGLE_ASSIGN(Block body, block_until({"endfilter"}));
    next();
    return Statement{FilterBlock{std::move(chain), std::move(body)}, {}};
}

Result<Statement> Parser::with_statement() {
    With node;
    while (!current().is(Kind::block_end) && !current().is_sign(":")) {
        if (!node.values.empty()) INGLE_TRY(expect_sign(","));
        INGLE_ASSIGN(Target name, one_target(false));
        INGLE_TRY(expect_sign("="));
        INGLE_ASSIGN(Expression value, expression());
        node.values.emplace_back(std::move(name), std::move(value));
    }
    const Frame frame = own_frame(true);
    INGLE_TRY(head_end());
    INGLE_ASSIGN(node.body, block_until({"endwith"}));
    next();
    return Statement{std::move(node), {}};
}

Result<Statement> Parser::print_statement() {
    Output node;
    while (!current().is(Kind::block_end)) {
        if (!node.values.empty()) INGLE_TRY(expect_sign(","));
        INGLE_ASSIGN(Expression value, expression());
        node.values.push_back(std::move(value));
    }
    return Statement{std::move(node), {}};
}

Result<Statement> Parser::block_statement() {
    const std::string name = current().text;
    INGLE_TRY(expect(Kind::name));
    const bool scoped = skip_name("scoped");
    const Frame frame = own_frame();
    INGLE_TRY(head_end());
    INGLE_ASSIGN(Block body, block_until({"endblock"}));
    next();
    skip_name(name);
    return Statement{Scoped{std::move(body), scoped}, {}};
}

Result<Statement> Parser::generation_statement() {
    const Frame frame = own_frame();
    INGLE_TRY(head_end());
    INGLE_ASSIGN(Block body, block_until({"endgeneration"}));
    next();
    return Statement{Scoped{std::move(body), true}, {}};
}

Result<Statement> Parser::autoescape_statement() {
    INGLE_ASSIGN(Expression value, expression());
    const Frame frame = own_frame(true);
    INGLE_TRY(head_end());
    INGLE_ASSIGN(Block body, block_until({"endautoescape"}));
    next();
    return Statement{Autoescape{std::move(value), std::move(body)}, {}};
}

Result<Statement> Parser::break_statement() {
    if (loops_ == 0) return error("'break' outside loop");
    return Statement{Break{}, {}};
}

Result<Statement> Parser::continue_statement() {
    if (loops_ == 0) return error("'continue' outside loop");
    return Statement{Continue{}, {}};
}

// The end of the head of a statement with a body.
Status Parser::head_end() {
    skip_sign(":");
    return expect(Kind::block_end);
}

Result<Syntax> parse(std::string_view source) {
    INGLE_ASSIGN(std::vector<Token> tokens, tokenize(source));
    return Parser(std::move(tokens)).run();
}

}  // namespace ingle::jinja
