// Expressions.
#include "chat/jinja/compare.h"
#include "chat/jinja/interpreter.h"
#include "chat/jinja/print.h"

namespace ingle::jinja {

Result<Value> Interpreter::evaluate(const Expression& expression) {
    const Nesting nesting(runtime_);
    if (Status status = nesting.entered(); !status.ok())
        return located<Value>(std::move(status), expression.at);
    if (!runtime_.meter().spend(1))
        return located<Value>(runtime_.meter().out_of_steps(), expression.at);
    auto value = std::visit([&](const auto& node) { return value_of(node); }, expression.node);
    if (!value.ok() && !failed_at_) failed_at_ = expression.at;
    return value;
}

Result<Value> Interpreter::value_of(const Name& node) {
    for (const Scope* scope = scope_.get(); scope; scope = scope->parent.get())
        if (const Value* value = scope->find(node.symbol)) return *value;
    return Value::undefined(cat("'", syntax_.symbols[size_t(node.symbol)], "' is undefined"));
}

Result<Value> Interpreter::value_of(const SequenceLiteral& node) {
    Values items;
    items.reserve(node.items.size());
    for (const Expression& expression : node.items) {
        INGLE_ASSIGN(Value item, evaluate(expression));
        items.push_back(std::move(item));
    }
    return runtime_.list(std::move(items), node.flavour);
}

Result<Value> Interpreter::value_of(const DictLiteral& node) {
    Dict dict;
    for (const auto& [key_expression, value_expression] : node.entries) {
        INGLE_ASSIGN(Value key, evaluate(key_expression));
        INGLE_ASSIGN(Value value, evaluate(value_expression));
        if (!hashable(key))
            return fail(Code::invalid_argument, "unhashable type: '", type_name(key), "'");
        dict.set(std::move(key), std::move(value));
    }
    return runtime_.dict(std::move(dict));
}

Result<Value> Interpreter::value_of(const Conditional& node) {
    INGLE_ASSIGN(const Value test, evaluate(*node.test));
    if (truthy(test)) return evaluate(*node.then);
    if (node.otherwise) return evaluate(*node.otherwise);
    return Value::undefined(
        "the inline if-expression evaluated to false and no else section was defined.");
}

Result<Value> Interpreter::value_of(const Logic& node) {
    for (size_t i = 0;; ++i) {
        INGLE_ASSIGN(Value operand, evaluate(node.operands[i]));
        if (i + 1 == node.operands.size() || truthy(operand) == node.decides_on) return operand;
    }
}

Result<Value> Interpreter::value_of(const Not& node) {
    INGLE_ASSIGN(const Value operand, evaluate(*node.operand));
    return Value(!truthy(operand));
}

Result<Value> Interpreter::value_of(const Unary& node) {
    INGLE_ASSIGN(const Value operand, evaluate(*node.operand));
    return node.function(runtime_, operand);
}

Result<Value> Interpreter::value_of(const BinaryChain& node) {
    INGLE_ASSIGN(Value result, evaluate(*node.first));
    for (const auto& [function, expression] : node.rest) {
        INGLE_ASSIGN(const Value operand, evaluate(expression));
        INGLE_ASSIGN(result, function(runtime_, result, operand));
    }
    return result;
}

Result<Value> Interpreter::value_of(const Concatenation& node) {
    TextBuilder out(runtime_.meter());
    for (const Expression& expression : node.parts) {
        INGLE_ASSIGN(const Value part, evaluate(expression));
        INGLE_TRY(append_str(runtime_, out, part));
    }
    INGLE_ASSIGN(TextPtr text, out.finish());
    return Value(std::move(text));
}

Result<Value> Interpreter::value_of(const Comparison& node) {
    INGLE_ASSIGN(Value left, evaluate(*node.first));
    for (const auto& [function, expression] : node.rest) {
        INGLE_ASSIGN(Value right, evaluate(expression));
        INGLE_ASSIGN(const bool holds, function(runtime_, left, right));
        if (!holds) return Value(false);
        left = std::move(right);
    }
    return Value(true);
}

Result<Value> Interpreter::value_of(const Attribute& node) {
    INGLE_ASSIGN(const Value object, evaluate(*node.object));
    return runtime_.attribute(object, node.name);
}

Result<Value> Interpreter::value_of(const Item& node) {
    INGLE_ASSIGN(const Value object, evaluate(*node.object));
    if (const auto* slice_node = std::get_if<Slice>(&node.key->node))
        return sliced(object, *slice_node);
    INGLE_ASSIGN(const Value key, evaluate(*node.key));
    return runtime_.item(object, key);
}

Result<Value> Interpreter::value_of(const Slice&) {
    return fail(Code::unsupported, "a slice among several indices");
}

Result<Value> Interpreter::sliced(const Value& object, const Slice& node) {
    Value bounds[3];
    const ExpressionPtr* const expressions[3] = {&node.start, &node.stop, &node.step};
    for (size_t i = 0; i < 3; ++i) {
        if (*expressions[i]) {
            INGLE_ASSIGN(bounds[i], evaluate(**expressions[i]));
        }
    }
    if (object.is_undefined()) return undefined_error(object);
    const bool indexable = object.text() || (object.sequence() && object.sequence()->indexable());
    if (object.dict()) return fail(Code::invalid_argument, "unhashable type: 'slice'");
    if (!indexable) return type_error(object, "object is not subscriptable");
    return slice(runtime_, object, bounds[0], bounds[1], bounds[2]);
}

Result<Arguments> Interpreter::arguments_of(const CallArguments& node) {
    Arguments arguments;
    arguments.positional.reserve(node.positional.size());
    for (const Expression& expression : node.positional) {
        INGLE_ASSIGN(Value value, evaluate(expression));
        arguments.positional.push_back(std::move(value));
    }
    for (const auto& [name, expression] : node.named) {
        INGLE_ASSIGN(Value value, evaluate(expression));
        arguments.named.emplace_back(name, std::move(value));
    }
    if (node.more_positional) {
        INGLE_ASSIGN(const Value more, evaluate(*node.more_positional));
        INGLE_ASSIGN(const SequencePtr items, all_items(runtime_, more));
        arguments.positional.insert(arguments.positional.end(), items->items.begin(),
                                    items->items.end());
    }
    if (node.more_named) {
        INGLE_ASSIGN(const Value more, evaluate(*node.more_named));
        if (!more.dict())
            return fail(Code::invalid_argument, "argument after ** must be a mapping");
        for (const auto& entry : more.dict()->entries()) {
            if (!entry.key.text()) return fail(Code::invalid_argument, "keywords must be strings");
            arguments.named.emplace_back(*entry.key.as<TextPtr>(), entry.value);
        }
    }
    return arguments;
}

Result<Value> Interpreter::value_of(const CallExpression& node) {
    // A method is called without making an object of it first.
    if (const auto* attribute = std::get_if<Attribute>(&node.callee->node)) {
        INGLE_ASSIGN(const Value object, evaluate(*attribute->object));
        const Function* method = find_method(type_name(object), attribute->name);
        if (method && method->run) {
            INGLE_ASSIGN(Arguments arguments, arguments_of(node.arguments));
            return invoke(runtime_, *method, object, std::move(arguments));
        }
        INGLE_ASSIGN(const Value callee, runtime_.attribute(object, attribute->name));
        INGLE_ASSIGN(Arguments arguments, arguments_of(node.arguments));
        return runtime_.call(callee, std::move(arguments));
    }
    INGLE_ASSIGN(const Value callee, evaluate(*node.callee));
    INGLE_ASSIGN(Arguments arguments, arguments_of(node.arguments));
    return runtime_.call(callee, std::move(arguments));
}

Result<Value> Interpreter::value_of(const FilterExpression& node) {
    Value input;
    if (node.input) {
        INGLE_ASSIGN(input, evaluate(*node.input));
    } else {
        input = *block_text_;
    }
    if (!node.function)
        return fail(Code::invalid_argument, "No filter named '", node.name, "' found.");
    INGLE_ASSIGN(Arguments arguments, arguments_of(node.arguments));
    return invoke(runtime_, *node.function, std::move(input), std::move(arguments));
}

Result<Value> Interpreter::value_of(const TestExpression& node) {
    INGLE_ASSIGN(Value input, evaluate(*node.input));
    if (!node.function)
        return fail(Code::invalid_argument, "No test named '", node.name, "' found.");
    INGLE_ASSIGN(Arguments arguments, arguments_of(node.arguments));
    return invoke(runtime_, *node.function, std::move(input), std::move(arguments));
}

}  // namespace ingle::jinja
