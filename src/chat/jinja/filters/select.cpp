// Filters that apply another filter or test to every item. They are lazy: a failure strikes when
// its item is reached.
#include "chat/jinja/function.h"
#include "chat/jinja/getter.h"
#include "chat/jinja/iterate.h"
#include "chat/jinja/runtime.h"

namespace ingle::jinja::filters {

namespace {

// Goes through the items of call.self; `each` appends to `kept` what an item gives.
template <class Each>
Result<Value> lazily(Call& call, Each each) {
    Values kept;
    if (!truthy(call.self)) return call.runtime.generator("generator", std::move(kept));
    const auto all = [&]() -> Status {
        INGLE_ASSIGN(Iterator iterator, Iterator::over(call.runtime, call.self));
        for (;;) {
            INGLE_ASSIGN(const auto item, iterator.next());
            if (!item) return Status();
            INGLE_TRY(each(*item, kept));
        }
    };
    Status failure = all();
    return call.runtime.generator("generator", std::move(kept), std::move(failure));
}

std::optional<Value> take_named(Arguments& arguments, std::string_view name) {
    for (auto at = arguments.named.begin(); at != arguments.named.end(); ++at) {
        if (at->first->bytes() != name) continue;
        Value value = std::move(at->second);
        arguments.named.erase(at);
        return value;
    }
    return std::nullopt;
}

// The next positional argument as a name.
Result<std::string> take_name(Arguments& arguments, std::string_view missing) {
    if (arguments.positional.empty()) return fail(Code::invalid_argument, missing);
    const Value name = arguments.positional.front();
    if (!name.text())
        return fail(Code::invalid_argument, "expected a name, found ", type_name(name));
    arguments.positional.erase(arguments.positional.begin());
    return std::string(name.text()->bytes());
}

Result<Value> map(Call& call) {
    Arguments& arguments = call.arguments;
    if (arguments.positional.empty()) {
        const auto attribute = take_named(arguments, "attribute");
        if (attribute) {
            Getter getter = Getter::of(attribute);
            const auto otherwise = take_named(arguments, "default");
            if (otherwise && !otherwise->is_none()) getter.otherwise = otherwise;
            if (!arguments.named.empty())
                return fail(Code::invalid_argument, "Unexpected keyword argument '",
                            arguments.named[0].first->bytes(), "'");
            return lazily(call, [&](const Value& item, Values& kept) -> Status {
                INGLE_ASSIGN(Value value, getter(call.runtime, item));
                kept.push_back(std::move(value));
                return Status();
            });
        }
    }
    INGLE_ASSIGN(const std::string name, take_name(arguments, "map requires a filter argument"));
    return lazily(call, [&](const Value& item, Values& kept) -> Status {
        INGLE_ASSIGN(Value value, call.runtime.filter(name, item, arguments));
        kept.push_back(std::move(value));
        return Status();
    });
}

template <bool wanted, bool by_attribute>
Result<Value> select_items(Call& call) {
    Arguments& arguments = call.arguments;
    std::optional<Value> attribute;
    if (by_attribute) {
        if (arguments.positional.empty())
            return fail(Code::invalid_argument, "Missing parameter for attribute name");
        attribute = arguments.positional.front();
        arguments.positional.erase(arguments.positional.begin());
    }
    const Getter getter = Getter::of(attribute);
    std::string test;
    if (!arguments.positional.empty()) {
        INGLE_ASSIGN(test, take_name(arguments, ""));
    }
    return lazily(call, [&](const Value& item, Values& kept) -> Status {
        INGLE_ASSIGN(const Value value, getter(call.runtime, item));
        bool holds = truthy(value);
        if (!test.empty()) {
            INGLE_ASSIGN(holds, call.runtime.test(test, value, arguments));
        }
        if (holds == wanted) kept.push_back(item);
        return Status();
    });
}

Result<Value> attr(Call& call) {
    INGLE_ASSIGN(const TextPtr name, call.text(0));
    if (call.self.dict() && !find_method("dict", name->bytes()))
        return Value::undefined(cat("'dict object' has no attribute '", name->bytes(), "'"));
    return call.runtime.attribute(call.self, name->bytes());
}

constexpr Function functions[] = {
    {"map", "*", map},
    {"select", "*", select_items<true, false>},
    {"reject", "*", select_items<false, false>},
    {"selectattr", "*", select_items<true, true>},
    {"rejectattr", "*", select_items<false, true>},
    {"attr", "name", attr},
};

}  // namespace

namespace entries {
extern const Family select;
const Family select = {functions};
}  // namespace entries

}  // namespace ingle::jinja::filters
