// Tests of what a value is.
#include "chat/jinja/function.h"
#include "chat/jinja/runtime.h"

namespace ingle::jinja::tests {

namespace {

Result<Value> defined(Call& call) {
    return Value(!call.self.is_undefined());
}
Result<Value> undefined(Call& call) {
    return Value(call.self.is_undefined());
}
Result<Value> none(Call& call) {
    return Value(call.self.is_none());
}
Result<Value> boolean(Call& call) {
    return Value(call.self.as<bool>() != nullptr);
}
Result<Value> integer(Call& call) {
    return Value(call.self.as<int64_t>() != nullptr);
}
Result<Value> real(Call& call) {
    return Value(call.self.as<double>() != nullptr);
}
Result<Value> number(Call& call) {
    return Value(call.self.number().has_value());
}
Result<Value> string(Call& call) {
    return Value(call.self.text() != nullptr);
}
Result<Value> mapping(Call& call) {
    return Value(call.self.dict() != nullptr);
}

template <bool wanted>
Result<Value> boolean_is(Call& call) {
    const bool* value = call.self.as<bool>();
    return Value(value && *value == wanted);
}

Result<Value> sequence(Call& call) {
    const Sequence* items = call.self.sequence();
    return Value(call.self.text() || call.self.dict() || call.self.is_undefined() ||
                 (items && items->indexable()));
}

Result<Value> iterable(Call& call) {
    return Value(call.self.text() || call.self.dict() || call.self.sequence() ||
                 call.self.is_undefined() || call.self.as<GeneratorPtr>());
}

// An undefined value counts as callable too, as the reference has it.
Result<Value> callable(Call& call) {
    const NativePtr* native = call.self.as<NativePtr>();
    return Value(call.self.is_undefined() || (native && (*native)->call));
}

Result<Value> escaped(Call& call) {
    return Value(call.self.text() && call.self.text()->markup());
}

Result<Value> sameas(Call& call) {
    const Value &a = call.self, &b = call[0];
    if (a.data().index() != b.data().index()) return Value(false);
    if (a.text()) return Value(a.text() == b.text() || a.text()->bytes() == b.text()->bytes());
    return Value(a.data() == b.data());
}

template <FunctionKind kind>
Result<Value> exists(Call& call) {
    return Value(call.self.text() && find_function(kind, call.self.text()->bytes()));
}

constexpr Function functions[] = {
    {"defined", "", defined},
    {"undefined", "", undefined},
    {"none", "", none},
    {"boolean", "", boolean},
    {"true", "", boolean_is<true>},
    {"false", "", boolean_is<false>},
    {"integer", "", integer},
    {"float", "", real},
    {"number", "", number},
    {"string", "", string},
    {"mapping", "", mapping},
    {"sequence", "", sequence},
    {"iterable", "", iterable},
    {"callable", "", callable},
    {"escaped", "", escaped},
    {"sameas", "other", sameas},
    {"filter", "", exists<FunctionKind::filter>},
    {"test", "", exists<FunctionKind::test>},
};

}  // namespace

namespace entries {
extern const Family kind;
const Family kind = {functions};
}  // namespace entries

}  // namespace ingle::jinja::tests
