// Filters, tests, methods and globals: each is a name, its parameters and a plain function. One
// file per family; the folders filters/, tests/, methods/ and globals/ are the registries.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "chat/jinja/value.h"

namespace ingle::jinja {

struct Function {
    std::string_view name;
    // Names in order, separated by blanks; "?" ends an optional one. "*" at the end: takes anything
    // beyond them, found in Call::arguments.
    std::string_view parameters;
    Result<Value> (*run)(Call&);
};

struct Family {
    std::span<const Function> functions;
    std::string_view type = {};  // methods only: the type they belong to, as type_name() names it
};

// One call. After binding, argument i is the one of parameter i.
struct Call {
    Runtime& runtime;
    Value self;           // the value filtered, tested or asked
    Arguments arguments;  // for "*": what is left after the named parameters
    std::vector<std::optional<Value>> bound = {};

    bool given(size_t i) const { return i < bound.size() && bound[i].has_value(); }
    const Value& operator[](size_t i) const { return *bound[i]; }

    // The argument with Python's meaning of the type, or the default.
    Result<int64_t> integer(size_t i, int64_t otherwise = 0) const;
    bool flag(size_t i, bool otherwise) const { return given(i) ? truthy(*bound[i]) : otherwise; }
    // Must be a str.
    Result<TextPtr> text(size_t i, std::string_view otherwise = "") const;
};

enum class FunctionKind { filter, test, global };

// Null if there is none of that name.
const Function* find_function(FunctionKind kind, std::string_view name);
const Function* find_method(std::string_view type, std::string_view name);
// All of one kind, in no order.
std::vector<const Function*> all_functions(FunctionKind kind);

// Binds the arguments to the parameters and runs. Errors name the function.
Result<Value> invoke(Runtime& runtime, const Function& function, Value self, Arguments arguments);

namespace filters {
std::span<const Family* const> families();
}
namespace tests {
std::span<const Family* const> families();
}
namespace methods {
std::span<const Family* const> families();
}
namespace globals {
std::span<const Family* const> families();
}

}  // namespace ingle::jinja
