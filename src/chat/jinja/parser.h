// Recursive descent over the tokens, in the reference's grammar. Nesting is limited, operator
// chains are loops.
#pragma once

#include <algorithm>
#include <unordered_map>

#include "chat/jinja/syntax.h"

namespace ingle::jinja {

class Parser {
  public:
    explicit Parser(std::vector<Token> tokens);
    Result<Syntax> run();

  private:
    using Kind = Token::Kind;

    // parser_expression.cpp
    Result<Expression> expression();
    Result<Expression> conditional();
    Result<Expression> logic(bool with_or);
    Result<Expression> negation();
    Result<Expression> comparison();
    Result<Expression> chain(int level);
    Result<Expression> concatenation();
    Result<Expression> unary(bool with_filter);
    Result<Expression> primary();
    Result<Expression> list_literal(Position at);
    Result<Expression> dict_literal(Position at);
    Result<Expression> postfix(Expression object);
    Result<Expression> subscript(Expression object);
    Result<Expression> subscribed();
    Result<Expression> filters_and_tests(Expression input);
    // `input` may be null: a filter block's.
    Result<Expression> filter(ExpressionPtr input);
    Result<Expression> test(Expression input);
    Result<CallArguments> call_arguments();
    Status one_argument(CallArguments& arguments);
    // One expression, or several with commas as a tuple. `explicit_parentheses`: may be empty.
    Result<Expression> tuple(bool explicit_parentheses);
    Result<std::string> dotted_name();
    Result<const Function*> known(FunctionKind kind, const std::string& name, Position at);

    // parser.cpp
    Result<Block> block_until(std::initializer_list<std::string_view> ends);
    Result<Statement> statement();
    Result<Statement> if_statement();
    Result<Statement> for_statement();
    Result<Statement> set_statement();
    Result<Statement> macro_statement();
    Result<Statement> call_statement();
    Result<Statement> filter_statement();
    Result<Statement> with_statement();
    Result<Statement> print_statement();
    Result<Statement> block_statement();
    Result<Statement> generation_statement();
    Result<Statement> autoescape_statement();
    Result<Statement> break_statement();
    Result<Statement> continue_statement();
    Result<Statement> refused();
    Result<Expression> iterable_expression();
    Status head_end();
    Result<Target> target(bool with_namespace);
    Result<Target> one_target(bool with_namespace);
    Status parameters(MacroDefinition& definition);
    Status macro_body(MacroDefinition& definition, std::string_view end);
    Result<Expression> filter_chain();

    const Token& current() const { return tokens_[at_]; }
    const Token& ahead() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
    void next() { at_ += at_ + 1 < tokens_.size(); }
    bool skip_sign(std::string_view sign);
    bool skip_name(std::string_view name);
    Status expect_sign(std::string_view sign);
    Status expect(Kind kind);
    Status unexpected(std::string_view expected) const;
    Status error(std::string_view message) const { return syntax_error(current().at, message); }
    int symbol(const std::string& name);

    // Counts nesting of expressions and statements together.
    struct Depth {
        explicit Depth(int& value) : value_(++value) {}
        ~Depth() { --value_; }
        int& value_;
    };
    Status too_deep() const;

    // An own frame for what follows: unknown filters are errors at once, unless in an if's branch.
    struct Frame {
        Frame(int& soft, int& loops, bool keeps_loop)
            : soft_(soft), loops_(loops), saved_soft_(soft), saved_loops_(loops) {
            soft_ = 0;
            if (!keeps_loop) loops_ = 0;
        }
        ~Frame() {
            soft_ = saved_soft_;
            loops_ = saved_loops_;
        }
        int &soft_, &loops_;
        int saved_soft_, saved_loops_;
    };
    Frame own_frame(bool keeps_loop = false) { return Frame(soft_, loops_, keeps_loop); }

    std::vector<Token> tokens_;
    size_t at_ = 0;
    std::vector<std::string> symbols_;
    std::unordered_map<std::string, int> numbers_;
    std::vector<Status> unknown_;           // filters and tests that do not exist
    std::vector<MacroDefinition*> macros_;  // definitions around the current place
    int depth_ = 0;
    int soft_ = 0;   // > 0 within branches
    int loops_ = 0;  // loops around the current place
};

// How deep expressions and statements may nest.
inline constexpr int syntax_depth_max = 150;

// Makes an expression's place in the heap.
inline ExpressionPtr boxed(Expression expression) {
    return std::make_unique<Expression>(std::move(expression));
}

}  // namespace ingle::jinja
