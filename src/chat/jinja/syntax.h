// The syntax tree of a template. Names are numbered once per template; scopes are searched by
// number.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "chat/jinja/function.h"
#include "chat/jinja/lexer.h"
#include "chat/jinja/operators.h"
#include "chat/jinja/value.h"

namespace ingle::jinja {

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

struct CallArguments {
    std::vector<Expression> positional = {};
    std::vector<std::pair<TextPtr, Expression>> named = {};
    ExpressionPtr more_positional = nullptr;  // *expression
    ExpressionPtr more_named = nullptr;       // **expression
};

struct Constant {
    Value value;
};
struct Name {
    int symbol;
};
struct SequenceLiteral {
    std::vector<Expression> items;
    Sequence::Flavour flavour;
};
struct DictLiteral {
    std::vector<std::pair<Expression, Expression>> entries;
};
// then if test else otherwise
struct Conditional {
    ExpressionPtr test, then, otherwise;  // otherwise may be null
};
// a and b and ..., a or b or ...: the value of the operand that decides.
struct Logic {
    std::vector<Expression> operands;
    bool decides_on;
};
struct Not {
    ExpressionPtr operand;
};
struct Unary {
    ExpressionPtr operand;
    UnaryFunction function;
};
// Operators of one precedence, from left to right.
struct BinaryChain {
    ExpressionPtr first;
    std::vector<std::pair<BinaryFunction, Expression>> rest;
};
// a ~ b ~ ...
struct Concatenation {
    std::vector<Expression> parts;
};
using CompareFunction = Result<bool> (*)(Runtime&, const Value&, const Value&);
// a < b <= c: every neighbouring pair.
struct Comparison {
    ExpressionPtr first;
    std::vector<std::pair<CompareFunction, Expression>> rest;
};
struct Attribute {
    ExpressionPtr object;
    std::string name;
};
struct Item {
    ExpressionPtr object, key;
};
struct Slice {
    ExpressionPtr start, stop, step;  // each may be null
};
struct CallExpression {
    ExpressionPtr callee;
    CallArguments arguments;
};
struct FilterExpression {
    ExpressionPtr input;  // null: the text of the block that is filtered
    std::string name;
    const Function* function;  // null: unknown, an error when it is reached
    CallArguments arguments;
};
struct TestExpression {
    ExpressionPtr input;
    std::string name;
    const Function* function;
    CallArguments arguments;
};

struct Expression {
    std::variant<Constant, Name, SequenceLiteral, DictLiteral, Conditional, Logic, Not, Unary,
                 BinaryChain, Concatenation, Comparison, Attribute, Item, Slice, CallExpression,
                 FilterExpression, TestExpression>
        node;
    Position at;
};

// What may stand left of "=": a name, name.attribute of a namespace, or several of them.
struct Target {
    int symbol = -1;
    std::string attribute = {};
    std::vector<Target> parts = {};  // if not empty, the value is unpacked
    Position at = {};
};

struct Statement;
using Block = std::vector<Statement>;

struct Data {
    TextPtr text;
};
struct Output {
    std::vector<Expression> values;
};
struct If {
    std::vector<std::pair<Expression, Block>> branches;
    Block otherwise;
};
struct For {
    Target target;
    Expression iterable;
    ExpressionPtr filter;  // may be null
    Block body;
    Block otherwise;
    bool recursive;
};
struct Set {
    Target target;
    Expression value;
};
struct SetBlock {
    Target target;
    ExpressionPtr filter;  // may be null
    Block body;
};
struct MacroDefinition {
    struct Parameter {
        int symbol;
        std::string name;
        ExpressionPtr otherwise;  // may be null
    };
    std::string name;
    std::vector<Parameter> parameters = {};
    Block body = {};
    bool uses_caller = false, uses_varargs = false, uses_kwargs = false;
};
struct Macro {
    int symbol;
    MacroDefinition definition;
};
// {% call(parameters) callee(...) %}: the body is the macro that the callee knows as "caller".
struct CallBlock {
    MacroDefinition definition;
    Expression call;
};
struct FilterBlock {
    Expression filter;
    Block body;
};
struct With {
    std::vector<std::pair<Target, Expression>> values;
    Block body;
};
// A scope of its own: {% generation %} and {% block %}.
struct Scoped {
    Block body;
    bool sees_locals;
};
struct Autoescape {
    Expression value;
    Block body;
};
struct Break {};
struct Continue {};

struct Statement {
    std::variant<Data, Output, If, For, Set, SetBlock, Macro, CallBlock, FilterBlock, With, Scoped,
                 Autoescape, Break, Continue>
        node;
    Position at;
};

struct Syntax {
    Block body;
    std::vector<std::string> symbols;  // name of each number

    // Numbers that every template has.
    enum : int { loop, caller, varargs, kwargs };
};

// Fails with line and column.
Result<Syntax> parse(std::string_view source);

}  // namespace ingle::jinja
