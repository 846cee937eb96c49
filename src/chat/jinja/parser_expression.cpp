// The expression half of the parser. From loose to tight: if-else, or, and, not, comparisons, + -,
// ~,
// * / // %, **, unary signs, then postfix and filters.
#include <charconv>

#include "chat/jinja/compare.h"
#include "chat/jinja/parser.h"

namespace ingle::jinja {

namespace {

Result<bool> not_equal(Runtime& runtime, const Value& a, const Value& b) {
    INGLE_ASSIGN(const bool same, equal(runtime, a, b));
    return !same;
}
Result<bool> is_less(Runtime& runtime, const Value& a, const Value& b) {
    return less(runtime, a, b, "<");
}
Result<bool> is_greater(Runtime& runtime, const Value& a, const Value& b) {
    return less(runtime, b, a, ">");
}
// Not the opposite of greater: NaN is neither.
Result<bool> less_or_equal(Runtime& runtime, const Value& a, const Value& b) {
    INGLE_ASSIGN(const bool smaller, less(runtime, a, b, "<="));
    return smaller ? Result<bool>(true) : equal(runtime, a, b);
}
Result<bool> greater_or_equal(Runtime& runtime, const Value& a, const Value& b) {
    INGLE_ASSIGN(const bool larger, less(runtime, b, a, ">="));
    return larger ? Result<bool>(true) : equal(runtime, a, b);
}
Result<bool> is_in(Runtime& runtime, const Value& item, const Value& container) {
    return contains(runtime, container, item);
}
Result<bool> not_in(Runtime& runtime, const Value& item, const Value& container) {
    INGLE_ASSIGN(const bool found, contains(runtime, container, item));
    return !found;
}

struct CompareSign {
    std::string_view sign;
    CompareFunction function;
};
constexpr CompareSign compare_signs[] = {{"==", equal},         {"!=", not_equal},
                                         {"<", is_less},        {">", is_greater},
                                         {"<=", less_or_equal}, {">=", greater_or_equal}};

struct BinarySign {
    int level;
    std::string_view sign;
    BinaryFunction function;
};
// Level 1 is looser than ~, the others tighter.
constexpr int add_level = 1, multiply_level = 2, power_level = 3;
constexpr BinarySign binary_signs[] = {{add_level, "+", add},
                                       {add_level, "-", subtract},
                                       {multiply_level, "*", multiply},
                                       {multiply_level, "/", divide},
                                       {multiply_level, "//", floor_divide},
                                       {multiply_level, "%", modulo},
                                       {power_level, "**", power}};

bool is_keyword(const Token& token) {
    return token.is_name("else") || token.is_name("or") || token.is_name("and");
}

}  // namespace

Result<Expression> Parser::expression() {
    return conditional();
}

Result<Expression> Parser::conditional() {
    const Depth depth(depth_);
    INGLE_TRY(too_deep());
    const size_t unknown_before = unknown_.size();
    INGLE_ASSIGN(Expression result, logic(true));
    while (current().is_name("if")) {
        const Position at = current().at;
        next();
        // The branches of a condition may name filters that do not exist, as long as none is
        // reached.
        unknown_.resize(unknown_before);
        const Depth soft(soft_);
        INGLE_ASSIGN(Expression test, logic(true));
        ExpressionPtr otherwise;
        if (skip_name("else")) {
            INGLE_ASSIGN(Expression other, conditional());
            otherwise = boxed(std::move(other));
        }
        result = {
            Conditional{boxed(std::move(test)), boxed(std::move(result)), std::move(otherwise)},
            at};
    }
    return result;
}

Result<Expression> Parser::logic(bool with_or) {
    const std::string_view word = with_or ? "or" : "and";
    const Position at = current().at;
    INGLE_ASSIGN(Expression first, with_or ? logic(false) : negation());
    if (!current().is_name(word)) return first;
    Logic logic_node{{}, with_or};
    logic_node.operands.push_back(std::move(first));
    while (skip_name(word)) {
        INGLE_ASSIGN(Expression operand, with_or ? logic(false) : negation());
        logic_node.operands.push_back(std::move(operand));
    }
    return Expression{std::move(logic_node), at};
}

Result<Expression> Parser::negation() {
    const Position at = current().at;
    int count = 0;
    while (skip_name("not")) ++count;
    INGLE_ASSIGN(Expression result, comparison());
    if (count == 0) return result;
    result = {Not{boxed(std::move(result))}, at};
    if (count % 2 == 0) result = {Not{boxed(std::move(result))}, at};
    return result;
}

Result<Expression> Parser::comparison() {
    INGLE_ASSIGN(Expression first, chain(add_level));
    Comparison node;
    const Position at = current().at;
    for (;;) {
        CompareFunction function = nullptr;
        for (const CompareSign& candidate : compare_signs)
            if (current().is_sign(candidate.sign)) function = candidate.function;
        if (current().is_name("in")) function = is_in;
        if (current().is_name("not") && ahead().is_name("in")) {
            function = not_in;
            next();
        }
        if (!function) break;
        next();
        INGLE_ASSIGN(Expression operand, chain(add_level));
        node.rest.emplace_back(function, std::move(operand));
    }
    if (node.rest.empty()) return first;
    node.first = boxed(std::move(first));
    return Expression{std::move(node), at};
}

Result<Expression> Parser::chain(int level) {
    const auto operand = [&] {
        if (level == add_level) return concatenation();
        return level == multiply_level ? chain(power_level) : unary(true);
    };
    INGLE_ASSIGN(Expression first, operand());
    BinaryChain node;
    const Position at = current().at;
    for (;;) {
        BinaryFunction function = nullptr;
        for (const BinarySign& candidate : binary_signs)
            if (candidate.level == level && current().is_sign(candidate.sign))
                function = candidate.function;
        if (!function) break;
        next();
        INGLE_ASSIGN(Expression right, operand());
        node.rest.emplace_back(function, std::move(right));
    }
    if (node.rest.empty()) return first;
    node.first = boxed(std::move(first));
    return Expression{std::move(node), at};
}

Result<Expression> Parser::concatenation() {
    const Position at = current().at;
    INGLE_ASSIGN(Expression first, chain(multiply_level));
    if (!current().is_sign("~")) return first;
    Concatenation node;
    node.parts.push_back(std::move(first));
    while (skip_sign("~")) {
        INGLE_ASSIGN(Expression part, chain(multiply_level));
        node.parts.push_back(std::move(part));
    }
    return Expression{std::move(node), at};
}

Result<Expression> Parser::unary(bool with_filter) {
    const Depth depth(depth_);
    INGLE_TRY(too_deep());
    const Position at = current().at;
    const bool minus = current().is_sign("-");
    Expression result;
    if (minus || current().is_sign("+")) {
        next();
        INGLE_ASSIGN(Expression operand, unary(false));
        result = {Unary{boxed(std::move(operand)), minus ? negate : identity}, at};
    } else {
        INGLE_ASSIGN(result, primary());
    }
    INGLE_ASSIGN(result, postfix(std::move(result)));
    if (with_filter) return filters_and_tests(std::move(result));
    return result;
}

Result<Expression> Parser::primary() {
    const Token token = current();
    const auto constant = [&](Value value) {
        return Expression{Constant{std::move(value)}, token.at};
    };
    if (token.is(Kind::name)) {
        next();
        const std::string& text = token.text;
        if (text == "true" || text == "True") return constant(true);
        if (text == "false" || text == "False") return constant(false);
        if (text == "none" || text == "None") return constant(Value());
        return Expression{Name{symbol(text)}, token.at};
    }
    if (token.is(Kind::string)) {
        std::string text;
        for (; current().is(Kind::string); next()) text += current().text;
        return constant(Value::text(std::move(text)));
    }
    if (token.is(Kind::integer)) {
        next();
        const int base = token.text.size() > 2 && token.text[0] == '0' ? token.text[1] | 0x20 : 0;
        const int radix = base == 'x' ? 16 : base == 'o' ? 8 : base == 'b' ? 2 : 10;
        const char* begin = token.text.data() + (radix == 10 ? 0 : 2);
        const char* end = token.text.data() + token.text.size();
        int64_t value = 0;
        if (std::from_chars(begin, end, value, radix).ec != std::errc())
            return syntax_error(token.at,
                                cat("the number ", token.text, " does not fit in 64 bits"));
        return constant(value);
    }
    if (token.is(Kind::real)) {
        next();
        const auto value = parse_real(token.text);
        if (!value) return syntax_error(token.at, cat("the number ", token.text, " is too large"));
        return constant(*value);
    }
    if (skip_sign("(")) {
        INGLE_ASSIGN(Expression inside, tuple(true));
        INGLE_TRY(expect_sign(")"));
        return inside;
    }
    if (skip_sign("[")) return list_literal(token.at);
    if (skip_sign("{")) return dict_literal(token.at);
    return unexpected("an expression");
}

Result<Expression> Parser::list_literal(Position at) {
    SequenceLiteral node{{}, Sequence::Flavour::list};
    while (!current().is_sign("]")) {
        if (!node.items.empty()) INGLE_TRY(expect_sign(","));
        if (current().is_sign("]")) break;
        INGLE_ASSIGN(Expression item, expression());
        node.items.push_back(std::move(item));
    }
    INGLE_TRY(expect_sign("]"));
    return Expression{std::move(node), at};
}

Result<Expression> Parser::dict_literal(Position at) {
    DictLiteral node;
    while (!current().is_sign("}")) {
        if (!node.entries.empty()) INGLE_TRY(expect_sign(","));
        if (current().is_sign("}")) break;
        INGLE_ASSIGN(Expression key, expression());
        INGLE_TRY(expect_sign(":"));
        INGLE_ASSIGN(Expression value, expression());
        node.entries.emplace_back(std::move(key), std::move(value));
    }
    INGLE_TRY(expect_sign("}"));
    return Expression{std::move(node), at};
}

Result<Expression> Parser::tuple(bool explicit_parentheses) {
    SequenceLiteral node{{}, Sequence::Flavour::tuple};
    const Position at = current().at;
    const auto ended = [&] {
        return current().is_sign(")") || current().is(Kind::variable_end) ||
               current().is(Kind::block_end);
    };
    bool is_tuple = false;
    while (!ended()) {
        INGLE_ASSIGN(Expression item, expression());
        node.items.push_back(std::move(item));
        if (!skip_sign(",")) break;
        is_tuple = true;
    }
    if (!is_tuple && !node.items.empty()) return std::move(node.items.front());
    if (!is_tuple && !explicit_parentheses) return unexpected("an expression");
    return Expression{std::move(node), at};
}

Result<Expression> Parser::postfix(Expression object) {
    for (int links = 0;; ++links) {
        if (links > syntax_depth_max) return error("too many attributes and calls in a row");
        if (current().is_sign(".") || current().is_sign("[")) {
            INGLE_ASSIGN(object, subscript(std::move(object)));
        } else if (current().is_sign("(")) {
            const Position at = current().at;
            INGLE_ASSIGN(CallArguments arguments, call_arguments());
            object = {CallExpression{boxed(std::move(object)), std::move(arguments)}, at};
        } else {
            return object;
        }
    }
}

Result<Expression> Parser::subscript(Expression object) {
    const Position at = current().at;
    if (skip_sign(".")) {
        const Token token = current();
        next();
        if (token.is(Kind::name))
            return Expression{Attribute{boxed(std::move(object)), token.text}, at};
        const auto index = token.is(Kind::integer) ? parse_int(token.text) : std::nullopt;
        if (!index) return syntax_error(token.at, "expected name or number");
        return Expression{
            Item{boxed(std::move(object)), boxed({Constant{Value(*index)}, token.at})}, at};
    }
    INGLE_TRY(expect_sign("["));
    std::vector<Expression> keys;
    while (!current().is_sign("]")) {
        if (!keys.empty()) INGLE_TRY(expect_sign(","));
        INGLE_ASSIGN(Expression key, subscribed());
        keys.push_back(std::move(key));
    }
    INGLE_TRY(expect_sign("]"));
    if (keys.size() == 1)
        return Expression{Item{boxed(std::move(object)), boxed(std::move(keys.front()))}, at};
    Expression key{SequenceLiteral{std::move(keys), Sequence::Flavour::tuple}, at};
    return Expression{Item{boxed(std::move(object)), boxed(std::move(key))}, at};
}

// What stands between brackets: a key, or start:stop:step with any of them left out.
Result<Expression> Parser::subscribed() {
    const Position at = current().at;
    ExpressionPtr parts[3];
    const auto read = [&](int i) -> Status {
        if (current().is_sign(":") || current().is_sign("]") || current().is_sign(","))
            return Status();
        INGLE_ASSIGN(Expression part, expression());
        parts[i] = boxed(std::move(part));
        return Status();
    };
    if (!current().is_sign(":")) {
        INGLE_ASSIGN(Expression first, expression());
        if (!current().is_sign(":")) return first;
        parts[0] = boxed(std::move(first));
    }
    INGLE_TRY(expect_sign(":"));
    INGLE_TRY(read(1));
    if (skip_sign(":")) INGLE_TRY(read(2));
    return Expression{Slice{std::move(parts[0]), std::move(parts[1]), std::move(parts[2])}, at};
}

Result<Expression> Parser::filters_and_tests(Expression input) {
    for (int links = 0;; ++links) {
        if (links > syntax_depth_max) return error("too many filters in a row");
        if (current().is_sign("|")) {
            next();
            INGLE_ASSIGN(input, filter(boxed(std::move(input))));
        } else if (current().is_name("is")) {
            next();
            INGLE_ASSIGN(input, test(std::move(input)));
        } else if (current().is_sign("(")) {
            const Position at = current().at;
            INGLE_ASSIGN(CallArguments arguments, call_arguments());
            input = {CallExpression{boxed(std::move(input)), std::move(arguments)}, at};
        } else {
            return input;
        }
    }
}

Result<Expression> Parser::filter(ExpressionPtr input) {
    const Position at = current().at;
    INGLE_ASSIGN(std::string name, dotted_name());
    INGLE_ASSIGN(const Function* function, known(FunctionKind::filter, name, at));
    FilterExpression node{std::move(input), std::move(name), function, {}};
    if (current().is_sign("(")) {
        INGLE_ASSIGN(node.arguments, call_arguments());
    }
    return Expression{std::move(node), at};
}

Result<Expression> Parser::test(Expression input) {
    const bool negated = skip_name("not");
    const Position at = current().at;
    INGLE_ASSIGN(std::string name, dotted_name());
    INGLE_ASSIGN(const Function* function, known(FunctionKind::test, name, at));
    TestExpression node{boxed(std::move(input)), std::move(name), function, {}};
    const Token& token = current();
    const bool argument = token.is(Kind::name) || token.is(Kind::string) ||
                          token.is(Kind::integer) || token.is(Kind::real) || token.is_sign("[") ||
                          token.is_sign("{");
    if (token.is_sign("(")) {
        INGLE_ASSIGN(node.arguments, call_arguments());
    } else if (argument && !is_keyword(token)) {
        if (token.is_name("is")) return error("You cannot chain multiple tests with is");
        INGLE_ASSIGN(Expression value, primary());
        INGLE_ASSIGN(value, postfix(std::move(value)));
        node.arguments.positional.push_back(std::move(value));
    }
    Expression result{std::move(node), at};
    if (negated) result = {Not{boxed(std::move(result))}, at};
    return result;
}

Result<CallArguments> Parser::call_arguments() {
    const Depth depth(depth_);
    INGLE_TRY(too_deep());
    INGLE_TRY(expect_sign("("));
    CallArguments arguments;
    for (bool first = true; !current().is_sign(")"); first = false) {
        if (!first) INGLE_TRY(expect_sign(","));
        if (current().is_sign(")")) break;
        INGLE_TRY(one_argument(arguments));
    }
    INGLE_TRY(expect_sign(")"));
    return arguments;
}

Status Parser::one_argument(CallArguments& arguments) {
    const bool star = current().is_sign("*"), stars = current().is_sign("**");
    const bool named = current().is(Kind::name) && ahead().is_sign("=");
    const bool allowed = !arguments.more_named && (stars || named || !arguments.more_positional) &&
                         (star || stars || named || arguments.named.empty());
    if (!allowed) return error("invalid syntax for function call expression");
    std::string name = named ? current().text : "";
    if (star || stars || named) next();
    if (named) next();
    INGLE_ASSIGN(Expression value, expression());
    if (star) {
        arguments.more_positional = boxed(std::move(value));
    } else if (stars) {
        arguments.more_named = boxed(std::move(value));
    } else if (named) {
        arguments.named.emplace_back(std::make_shared<const Text>(std::move(name)),
                                     std::move(value));
    } else {
        arguments.positional.push_back(std::move(value));
    }
    return Status();
}

Result<std::string> Parser::dotted_name() {
    std::string name = current().text;
    INGLE_TRY(expect(Kind::name));
    while (skip_sign(".")) {
        name += "." + current().text;
        INGLE_TRY(expect(Kind::name));
    }
    return name;
}

Result<const Function*> Parser::known(FunctionKind kind, const std::string& name, Position at) {
    const Function* function = find_function(kind, name);
    const std::string_view what = kind == FunctionKind::filter ? "filter" : "test";
    if (!function && soft_ == 0)
        unknown_.push_back(syntax_error(at, cat("No ", what, " named '", name, "'.")));
    return function;
}

}  // namespace ingle::jinja
