// Tests that compare, by name and by sign, and tests of numbers and case.
#include "chat/jinja/compare.h"
#include "chat/jinja/function.h"
#include "chat/jinja/operators.h"
#include "chat/jinja/print.h"
#include "chat/jinja/runtime.h"

namespace ingle::jinja::tests {

namespace {

template <bool wanted>
Result<Value> equals(Call& call) {
    INGLE_ASSIGN(const bool same, equal(call.runtime, call.self, call[0]));
    return Value(same == wanted);
}
template <bool or_equal>
Result<Value> below(Call& call) {
    INGLE_ASSIGN(const bool smaller, less(call.runtime, call.self, call[0], or_equal ? "<=" : "<"));
    return smaller || !or_equal ? Result<Value>(smaller) : equals<true>(call);
}
template <bool or_equal>
Result<Value> above(Call& call) {
    INGLE_ASSIGN(const bool larger, less(call.runtime, call[0], call.self, or_equal ? ">=" : ">"));
    return larger || !or_equal ? Result<Value>(larger) : equals<true>(call);
}

Result<Value> in(Call& call) {
    INGLE_ASSIGN(const bool found, contains(call.runtime, call[0], call.self));
    return Value(found);
}

Result<Value> remainder_is(Call& call, const Value& divisor, int wanted) {
    INGLE_ASSIGN(const Value rest, modulo(call.runtime, call.self, divisor));
    INGLE_ASSIGN(const bool same, equal(call.runtime, rest, Value(wanted)));
    return Value(same);
}
Result<Value> odd(Call& call) {
    return remainder_is(call, Value(2), 1);
}
Result<Value> even(Call& call) {
    return remainder_is(call, Value(2), 0);
}
Result<Value> divisibleby(Call& call) {
    return remainder_is(call, call[0], 0);
}

template <bool upper>
Result<Value> in_case(Call& call) {
    INGLE_ASSIGN(const TextPtr text, to_text(call.runtime, call.self));
    return invoke(call.runtime, *find_method("str", upper ? "isupper" : "islower"), Value(text),
                  {});
}

constexpr Function functions[] = {
    {"eq", "other", equals<true>},
    {"==", "other", equals<true>},
    {"equalto", "other", equals<true>},
    {"ne", "other", equals<false>},
    {"!=", "other", equals<false>},
    {"lt", "other", below<false>},
    {"<", "other", below<false>},
    {"lessthan", "other", below<false>},
    {"le", "other", below<true>},
    {"<=", "other", below<true>},
    {"gt", "other", above<false>},
    {">", "other", above<false>},
    {"greaterthan", "other", above<false>},
    {"ge", "other", above<true>},
    {">=", "other", above<true>},
    {"in", "seq", in},
    {"odd", "", odd},
    {"even", "", even},
    {"divisibleby", "num", divisibleby},
    {"lower", "", in_case<false>},
    {"upper", "", in_case<true>},
};

}  // namespace

namespace entries {
extern const Family comparison;
const Family comparison = {functions};
}  // namespace entries

}  // namespace ingle::jinja::tests
