#include "chat/jinja/interpreter.h"

#include <algorithm>

#include "chat/jinja/loop.h"
#include "chat/jinja/print.h"

namespace ingle::jinja {

const Value* Scope::find(int symbol) const {
    for (const auto& [number, value] : variables)
        if (number == symbol) return &value;
    return nullptr;
}

void Scope::set(int symbol, Value value) {
    for (auto& [number, held] : variables) {
        if (number != symbol) continue;
        held = std::move(value);
        return;
    }
    variables.emplace_back(symbol, std::move(value));
}

Interpreter::Interpreter(const Syntax& syntax, const Limits& limits, std::optional<std::tm> now)
    : syntax_(syntax), runtime_(limits, now), root_(std::make_shared<Scope>()), scope_(root_) {}

Interpreter::~Interpreter() {
    for (const ScopePtr& scope : captured_) scope->variables.clear();
}

void Interpreter::define(std::string_view name, Value value) {
    const auto at = std::find(syntax_.symbols.begin(), syntax_.symbols.end(), name);
    if (at != syntax_.symbols.end())
        root_->set(int(at - syntax_.symbols.begin()), std::move(value));
}

Result<chat::Rendered> Interpreter::render() {
    for (const Function* function : all_functions(FunctionKind::global)) {
        const auto at = std::find(syntax_.symbols.begin(), syntax_.symbols.end(), function->name);
        const int symbol = int(at - syntax_.symbols.begin());
        if (at == syntax_.symbols.end() || root_->find(symbol)) continue;
        Native native{"function", cat("<function ", function->name, ">")};
        native.call = [function](Call& call) {
            return invoke(call.runtime, *function, Value(), std::move(call.arguments));
        };
        INGLE_ASSIGN(Value made, runtime_.native(std::move(native)));
        root_->set(symbol, std::move(made));
    }
    TextBuilder out(runtime_.meter());
    out_ = &out;
    const auto flow = run(syntax_.body);
    if (!flow.ok()) {
        const Position at = failed_at_.value_or(Position{});
        return fail(flow.status().code(), "line ", at.line, ", column ", at.column, ": ",
                    flow.status().message());
    }
    if (out.size() > runtime_.meter().limits().output_bytes_max)
        return fail(Code::limit, "the prompt is longer than ",
                    human_bytes(runtime_.meter().limits().output_bytes_max));
    INGLE_ASSIGN(const TextPtr text, out.finish());
    return chat::Rendered{std::string(text->bytes()), text->untrusted()};
}

Result<Interpreter::Flow> Interpreter::run(const Block& block) {
    const Nesting nesting(runtime_);
    INGLE_TRY(nesting.entered());
    for (const Statement& statement : block) {
        if (!runtime_.meter().spend(1))
            return located<Flow>(runtime_.meter().out_of_steps(), statement.at);
        auto flow = std::visit([&](const auto& node) { return run(node); }, statement.node);
        if (!flow.ok()) return located(std::move(flow), statement.at);
        if (*flow != Flow::normal) return flow;
    }
    return Flow::normal;
}

Result<Interpreter::Flow> Interpreter::run(const Data& node) {
    out_->append(*node.text);
    return out_->overflowed() ? Result<Flow>(runtime_.meter().out_of_memory()) : Flow::normal;
}

Result<Interpreter::Flow> Interpreter::run(const Output& node) {
    for (const Expression& expression : node.values) {
        INGLE_ASSIGN(const Value value, evaluate(expression));
        INGLE_TRY(print(value));
    }
    return Flow::normal;
}

Status Interpreter::print(const Value& value) {
    if (runtime_.autoescape) {
        INGLE_ASSIGN(const TextPtr escaped, escape_html(runtime_, value));
        out_->append(*escaped);
    } else {
        INGLE_TRY(append_str(runtime_, *out_, value));
    }
    return out_->overflowed() ? runtime_.meter().out_of_memory() : Status();
}

Result<Interpreter::Flow> Interpreter::run(const If& node) {
    for (const auto& [test, body] : node.branches) {
        INGLE_ASSIGN(const Value chosen, evaluate(test));
        if (truthy(chosen)) return run(body);
    }
    return run(node.otherwise);
}

Result<Interpreter::Flow> Interpreter::run(const For& node) {
    INGLE_ASSIGN(const Value iterable, evaluate(node.iterable));
    return run_loop(node, iterable, 0, scope_);
}

Result<Interpreter::Flow> Interpreter::run_loop(const For& node, const Value& iterable, int depth0,
                                                const ScopePtr& around) {
    INGLE_ASSIGN(Iterator source, Iterator::over(runtime_, iterable));
    const auto loop = std::make_shared<LoopState>(runtime_, std::move(source), depth0);
    if (node.filter)
        loop->filter = [this, &node, around](const Value& item) -> Result<bool> {
            const ScopeGuard guard(*this, inside(around));
            INGLE_TRY(assign(node.target, item));
            INGLE_ASSIGN(const Value chosen, evaluate(*node.filter));
            return truthy(chosen);
        };
    if (node.recursive)
        loop->recurse = [this, &node, around](const Value& items, int depth) -> Result<Value> {
            TextBuilder text(runtime_.meter());
            TextBuilder* const outer = std::exchange(out_, &text);
            const auto flow = run_loop(node, items, depth, around);
            out_ = outer;
            if (!flow.ok()) return flow.status();
            INGLE_ASSIGN(TextPtr made, text.finish());
            return Value(std::move(made));
        };
    INGLE_ASSIGN(const Value loop_value, loop->object(depth_of(iterable)));
    return run_items(node, *loop, loop_value, around);
}

Result<Interpreter::Flow> Interpreter::run_items(const For& node, LoopState& loop,
                                                 const Value& loop_value, const ScopePtr& around) {
    ScopePtr scope = inside(around);
    bool any = false;
    for (;;) {
        INGLE_ASSIGN(const bool more, loop.next());
        if (!more) break;
        any = true;
        // Every item starts with a fresh frame; one that nothing holds on to is used again.
        if (scope.use_count() > 1) scope = inside(around);
        scope->variables.clear();
        const ScopeGuard guard(*this, scope);
        scope->set(Syntax::loop, loop_value);
        INGLE_TRY(assign(node.target, loop.current()));
        INGLE_ASSIGN(const Flow flow, run(node.body));
        if (flow == Flow::leave_loop) break;
    }
    if (any) return Flow::normal;
    const ScopeGuard guard(*this, inside(around));
    return run(node.otherwise);
}

Status Interpreter::assign(const Target& target, Value value) {
    if (!target.parts.empty()) {
        INGLE_ASSIGN(const SequencePtr items, all_items(runtime_, value));
        const size_t expected = target.parts.size(), found = items->items.size();
        if (found < expected)
            return fail(Code::invalid_argument, "not enough values to unpack (expected ", expected,
                        ", got ", found, ")");
        if (found > expected)
            return fail(Code::invalid_argument, "too many values to unpack (expected ", expected,
                        ")");
        for (size_t i = 0; i < expected; ++i) INGLE_TRY(assign(target.parts[i], items->items[i]));
        return Status();
    }
    if (target.attribute.empty()) {
        scope_->set(target.symbol, std::move(value));
        return Status();
    }
    INGLE_ASSIGN(const Value holder, value_of(Name{target.symbol}));
    const auto* space = holder.as<NamespacePtr>();
    if (!space)
        return fail(Code::invalid_argument, "cannot assign attribute on non-namespace object");
    Dict& attributes = (*space)->attributes;
    attributes.set(Value::text(target.attribute), std::move(value));
    return Status();
}

Result<Interpreter::Flow> Interpreter::run(const Set& node) {
    INGLE_ASSIGN(Value value, evaluate(node.value));
    INGLE_TRY(assign(node.target, std::move(value)));
    return Flow::normal;
}

Result<Value> Interpreter::captured_text(const Block& block, ScopePtr scope) {
    TextBuilder text(runtime_.meter());
    TextBuilder* const outer = std::exchange(out_, &text);
    auto flow = [&] {
        const ScopeGuard guard(*this, std::move(scope));
        return run(block);
    }();
    out_ = outer;
    if (!flow.ok()) return std::move(flow).status();
    INGLE_ASSIGN(TextPtr made, text.finish(runtime_.autoescape));
    return Value(std::move(made));
}

Result<Interpreter::Flow> Interpreter::run(const SetBlock& node) {
    INGLE_ASSIGN(Value text, captured_text(node.body, inside(scope_)));
    if (node.filter) {
        const Value* const outer = std::exchange(block_text_, &text);
        auto filtered = evaluate(*node.filter);
        block_text_ = outer;
        if (!filtered.ok()) return std::move(filtered).status();
        text = std::move(*filtered);
    }
    INGLE_TRY(assign(node.target, std::move(text)));
    return Flow::normal;
}

Result<Interpreter::Flow> Interpreter::run(const FilterBlock& node) {
    INGLE_ASSIGN(const Value text, captured_text(node.body, inside(scope_)));
    const Value* const outer = std::exchange(block_text_, &text);
    const auto filtered = evaluate(node.filter);
    block_text_ = outer;
    if (!filtered.ok()) return filtered.status();
    INGLE_TRY(print(*filtered));
    return Flow::normal;
}

Result<Interpreter::Flow> Interpreter::run(const With& node) {
    const ScopePtr scope = inside(scope_);
    for (const auto& [target, expression] : node.values) {
        INGLE_ASSIGN(Value value, evaluate(expression));
        const ScopeGuard guard(*this, scope);
        INGLE_TRY(assign(target, std::move(value)));
    }
    const ScopeGuard guard(*this, scope);
    return run(node.body);
}

Result<Interpreter::Flow> Interpreter::run(const Scoped& node) {
    const ScopeGuard guard(*this, inside(node.sees_locals ? scope_ : root_));
    return run(node.body);
}

Result<Interpreter::Flow> Interpreter::run(const Autoescape& node) {
    INGLE_ASSIGN(const Value wanted, evaluate(node.value));
    const bool outer = std::exchange(runtime_.autoescape, truthy(wanted));
    auto flow = [&] {
        const ScopeGuard guard(*this, inside(scope_));
        return run(node.body);
    }();
    runtime_.autoescape = outer;
    return flow;
}

}  // namespace ingle::jinja
