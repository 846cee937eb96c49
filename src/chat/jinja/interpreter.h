// Runs a template's syntax tree. One interpreter is one rendering.
#pragma once

#include "chat/jinja/iterate.h"
#include "chat/jinja/runtime.h"
#include "chat/jinja/syntax.h"

namespace ingle::jinja {

// Variables of one frame; what is not found here is looked up in the frames around it.
struct Scope {
    std::vector<std::pair<int, Value>> variables = {};
    std::shared_ptr<Scope> parent = nullptr;
    bool captured = false;  // a macro refers to it: it lives until the rendering ends

    const Value* find(int symbol) const;
    void set(int symbol, Value value);
};
using ScopePtr = std::shared_ptr<Scope>;

class LoopState;

class Interpreter {
  public:
    Interpreter(const Syntax& syntax, const Limits& limits, std::optional<std::tm> now);
    Interpreter(const Interpreter&) = delete;
    ~Interpreter();

    Runtime& runtime() { return runtime_; }
    // Sets a variable if the template mentions it. It hides the global function of that name.
    void define(std::string_view name, Value value);
    // Errors carry line and column.
    Result<chat::Rendered> render();

  private:
    friend class LoopState;
    enum class Flow { normal, leave_loop, next_item };

    // interpreter.cpp: statements.
    Result<Flow> run(const Block& block);
    Result<Flow> run(const Data& node);
    Result<Flow> run(const Output& node);
    Result<Flow> run(const If& node);
    Result<Flow> run(const For& node);
    Result<Flow> run(const Set& node);
    Result<Flow> run(const SetBlock& node);
    Result<Flow> run(const Macro& node);
    Result<Flow> run(const CallBlock& node);
    Result<Flow> run(const FilterBlock& node);
    Result<Flow> run(const With& node);
    Result<Flow> run(const Scoped& node);
    Result<Flow> run(const Autoescape& node);
    Result<Flow> run(const Break&) { return Flow::leave_loop; }
    Result<Flow> run(const Continue&) { return Flow::next_item; }
    Result<Flow> run_loop(const For& node, const Value& iterable, int depth0,
                          const ScopePtr& around);
    Result<Flow> run_items(const For& node, LoopState& loop, const Value& loop_value,
                           const ScopePtr& around);
    // The text that a block prints, in a scope of its own inside `around`.
    Result<Value> captured_text(const Block& block, ScopePtr scope);
    Status assign(const Target& target, Value value);
    Status print(const Value& value);

    // macro.cpp
    Result<Value> make_macro(const MacroDefinition& definition);
    Result<Value> call_macro(const MacroDefinition& definition, const ScopePtr& around, Call& call);

    // evaluate.cpp: expressions.
    Result<Value> evaluate(const Expression& expression);
    Result<Value> value_of(const Constant& node) { return node.value; }
    Result<Value> value_of(const Name& node);
    Result<Value> value_of(const SequenceLiteral& node);
    Result<Value> value_of(const DictLiteral& node);
    Result<Value> value_of(const Conditional& node);
    Result<Value> value_of(const Logic& node);
    Result<Value> value_of(const Not& node);
    Result<Value> value_of(const Unary& node);
    Result<Value> value_of(const BinaryChain& node);
    Result<Value> value_of(const Concatenation& node);
    Result<Value> value_of(const Comparison& node);
    Result<Value> value_of(const Attribute& node);
    Result<Value> value_of(const Item& node);
    Result<Value> value_of(const Slice& node);
    Result<Value> value_of(const CallExpression& node);
    Result<Value> value_of(const FilterExpression& node);
    Result<Value> value_of(const TestExpression& node);
    Result<Value> sliced(const Value& object, const Slice& node);
    Result<Arguments> arguments_of(const CallArguments& node);

    template <class T>
    Result<T> located(Result<T> result, Position at) {
        if (!result.ok() && !failed_at_) failed_at_ = at;
        return result;
    }

    // The current scope, for as long as the guard lives.
    class ScopeGuard {
      public:
        ScopeGuard(Interpreter& owner, ScopePtr scope)
            : owner_(owner), saved_(std::exchange(owner.scope_, std::move(scope))) {}
        ScopeGuard(const ScopeGuard&) = delete;
        ~ScopeGuard() { owner_.scope_ = std::move(saved_); }

      private:
        Interpreter& owner_;
        ScopePtr saved_;
    };
    static ScopePtr inside(ScopePtr around) {
        return std::make_shared<Scope>(Scope{{}, std::move(around)});
    }

    const Syntax& syntax_;
    std::vector<ScopePtr> captured_;  // emptied at the end, since macros and scopes hold each other
    Runtime runtime_;
    ScopePtr root_;
    ScopePtr scope_;
    TextBuilder* out_ = nullptr;
    const Value* block_text_ = nullptr;  // what a filter block's innermost filter gets
    std::optional<Position> failed_at_;
};

}  // namespace ingle::jinja
