// Macros and call blocks: how arguments meet parameters, and what the body sees.
#include <algorithm>

#include "chat/jinja/interpreter.h"

namespace ingle::jinja {

namespace {

Value missing_parameter(const std::string& name) {
    return Value::undefined(cat("parameter '", name, "' was not provided"));
}

// The named argument, taken out of the list.
std::optional<Value> take_named(Arguments& arguments, std::string_view name) {
    const auto at = std::find_if(arguments.named.begin(), arguments.named.end(),
                                 [&](const auto& entry) { return entry.first->bytes() == name; });
    if (at == arguments.named.end()) return std::nullopt;
    std::optional<Value> value(std::move(at->second));
    arguments.named.erase(at);
    return value;
}

Status check_leftovers(const MacroDefinition& definition, const Arguments& arguments) {
    if (!arguments.named.empty() && !definition.uses_kwargs) {
        for (const auto& [name, value] : arguments.named)
            if (name->bytes() == "caller")
                return fail(Code::invalid_argument, "macro '", definition.name,
                            "' is called by a call block but never uses 'caller'");
        return fail(Code::invalid_argument, "macro '", definition.name,
                    "' takes no keyword argument '", arguments.named[0].first->bytes(), "'");
    }
    if (arguments.positional.size() > definition.parameters.size() && !definition.uses_varargs)
        return fail(Code::invalid_argument, "macro '", definition.name, "' takes not more than ",
                    definition.parameters.size(), " argument(s)");
    return Status();
}

}  // namespace

Result<Value> Interpreter::make_macro(const MacroDefinition& definition) {
    // The frames around it live as long as the macro may be called.
    for (ScopePtr scope = scope_; scope && !scope->captured; scope = scope->parent) {
        scope->captured = true;
        captured_.push_back(scope);
    }
    Native macro{"Macro", cat("<Macro '", definition.name, "'>")};
    macro.call = [this, &definition, around = scope_](Call& call) {
        return call_macro(definition, around, call);
    };
    macro.attribute = [&definition](std::string_view name) -> Result<std::optional<Value>> {
        if (name == "name") return std::optional<Value>(Value::text(definition.name));
        return std::optional<Value>();
    };
    return runtime_.native(std::move(macro));
}

Result<Value> Interpreter::call_macro(const MacroDefinition& definition, const ScopePtr& around,
                                      Call& call) {
    Arguments& arguments = call.arguments;
    const ScopePtr scope = inside(around);
    std::vector<const MacroDefinition::Parameter*> absent;
    for (size_t i = 0; i < definition.parameters.size(); ++i) {
        const auto& parameter = definition.parameters[i];
        std::optional<Value> value;
        if (i < arguments.positional.size()) {
            value = arguments.positional[i];
        } else {
            value = take_named(arguments, parameter.name);
        }
        if (!value) absent.push_back(&parameter);
        scope->set(parameter.symbol, value ? std::move(*value) : missing_parameter(parameter.name));
    }
    if (definition.uses_caller && !scope->find(Syntax::caller)) {
        auto caller = take_named(arguments, "caller");
        scope->set(Syntax::caller,
                   caller ? std::move(*caller) : Value::undefined("No caller defined"));
    }
    INGLE_TRY(check_leftovers(definition, arguments));
    if (definition.uses_kwargs) {
        Dict named;
        for (auto& [name, value] : arguments.named) named.set(Value(name), std::move(value));
        INGLE_ASSIGN(Value made, runtime_.dict(std::move(named)));
        scope->set(Syntax::kwargs, std::move(made));
    }
    if (definition.uses_varargs) {
        auto& all = arguments.positional;
        const size_t used = std::min(all.size(), definition.parameters.size());
        INGLE_ASSIGN(Value made,
                     runtime_.tuple(Values(all.begin() + std::ptrdiff_t(used), all.end())));
        scope->set(Syntax::varargs, std::move(made));
    }
    {
        // Defaults are evaluated at the call and may use the parameters before them.
        const ScopeGuard guard(*this, scope);
        for (const auto* parameter : absent) {
            if (!parameter->otherwise) continue;
            INGLE_ASSIGN(Value value, evaluate(*parameter->otherwise));
            scope->set(parameter->symbol, std::move(value));
        }
    }
    return captured_text(definition.body, scope);
}

Result<Interpreter::Flow> Interpreter::run(const Macro& node) {
    INGLE_ASSIGN(Value macro, make_macro(node.definition));
    scope_->set(node.symbol, std::move(macro));
    return Flow::normal;
}

Result<Interpreter::Flow> Interpreter::run(const CallBlock& node) {
    INGLE_ASSIGN(Value caller, make_macro(node.definition));
    const auto& call = std::get<CallExpression>(node.call.node);
    INGLE_ASSIGN(const Value callee, evaluate(*call.callee));
    INGLE_ASSIGN(Arguments arguments, arguments_of(call.arguments));
    arguments.named.emplace_back(std::make_shared<const Text>("caller"), std::move(caller));
    INGLE_ASSIGN(const Value text,
                 located(runtime_.call(callee, std::move(arguments)), node.call.at));
    INGLE_TRY(print(text));
    return Flow::normal;
}

}  // namespace ingle::jinja
