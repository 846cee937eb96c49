// What the functions of the language may do during one rendering: make values within the limits,
// look things up, call. It knows no syntax tree.
#pragma once

#include <ctime>
#include <optional>

#include "chat/jinja/function.h"
#include "chat/jinja/value.h"

namespace ingle::jinja {

class Runtime {
  public:
    Runtime(const Limits& limits, std::optional<std::tm> now) : meter_(limits), now_(now) {}
    Runtime(const Runtime&) = delete;
    ~Runtime();

    Meter& meter() { return meter_; }
    // Broken-down local time: the injected one, or the machine's.
    std::tm now() const;

    Result<Value> list(Values items, Sequence::Flavour flavour = Sequence::Flavour::list);
    Result<Value> tuple(Values items) { return list(std::move(items), Sequence::Flavour::tuple); }
    Result<Value> dict(Dict entries);
    // Namespaces may hold themselves: they live until the rendering ends and are emptied then.
    Result<Value> make_namespace(Dict attributes);
    Result<Value> native(Native native);
    // `failure` strikes after the items were consumed.
    Result<Value> generator(std::string type_name, Values items, Status failure = {});

    // callee(arguments)
    Result<Value> call(const Value& callee, Arguments arguments);
    // object.name and object[key]; a thing that is not there gives an undefined value.
    Result<Value> attribute(const Value& object, std::string_view name);
    Result<Value> item(const Value& object, const Value& key);
    // By name, as map('upper') and select('odd') need them.
    Result<Value> filter(std::string_view name, const Value& value, Arguments arguments);
    Result<bool> test(std::string_view name, const Value& value, Arguments arguments);

    bool autoescape = false;

  private:
    friend class Nesting;
    Result<Value> native_attribute(const Value& object, std::string_view name);

    Meter meter_;
    std::optional<std::tm> now_;
    std::vector<NamespacePtr> namespaces_;
    int depth_ = 0;
};

// One level of nested evaluation; check entered() first.
class Nesting {
  public:
    explicit Nesting(Runtime& runtime) : runtime_(runtime) { ++runtime_.depth_; }
    Nesting(const Nesting&) = delete;
    ~Nesting() { --runtime_.depth_; }

    Status entered() const {
        const int depth_max = runtime_.meter_.limits().depth_max;
        if (runtime_.depth_ <= depth_max) return Status();
        return fail(Code::limit, "nested more than ", depth_max, " levels deep");
    }

  private:
    Runtime& runtime_;
};

// The failure of using a value that is undefined.
Status undefined_error(const Value& value);
// "'int' object is not iterable" and its like: `what` after the type's name.
Status type_error(const Value& value, std::string_view what);

}  // namespace ingle::jinja
