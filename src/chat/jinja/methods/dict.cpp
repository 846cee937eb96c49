// Methods of dict. Those that would change it are refused by the sandbox.
#include "chat/jinja/compare.h"
#include "chat/jinja/function.h"
#include "chat/jinja/iterate.h"
#include "chat/jinja/runtime.h"

namespace ingle::jinja::methods {

namespace {

const Dict& self(const Call& call) {
    return *call.self.dict();
}

Result<Value> get(Call& call) {
    if (!hashable(call[0]))
        return fail(Code::invalid_argument, "unhashable type: '", type_name(call[0]), "'");
    if (const Value* found = self(call).find(call[0])) return *found;
    return call.given(1) ? call[1] : Value();
}

Result<Value> items(Call& call) {
    Values pairs;
    for (const auto& entry : self(call).entries()) {
        INGLE_ASSIGN(Value pair, call.runtime.tuple({entry.key, entry.value}));
        pairs.push_back(std::move(pair));
    }
    return call.runtime.list(std::move(pairs), Sequence::Flavour::items);
}

Result<Value> keys(Call& call) {
    Values all;
    for (const auto& entry : self(call).entries()) all.push_back(entry.key);
    return call.runtime.list(std::move(all), Sequence::Flavour::keys);
}

Result<Value> values(Call& call) {
    Values all;
    for (const auto& entry : self(call).entries()) all.push_back(entry.value);
    return call.runtime.list(std::move(all), Sequence::Flavour::values);
}

Result<Value> copy(Call& call) {
    return call.self;
}

Result<Value> fromkeys(Call& call) {
    INGLE_ASSIGN(const SequencePtr all, all_items(call.runtime, call[0]));
    Dict made;
    for (const Value& key : all->items) {
        if (!hashable(key))
            return fail(Code::invalid_argument, "unhashable type: '", type_name(key), "'");
        made.set(key, call.given(1) ? call[1] : Value());
    }
    return call.runtime.dict(std::move(made));
}

constexpr Function functions[] = {
    {"get", "key default?", get}, {"items", "", items},
    {"keys", "", keys},           {"values", "", values},
    {"copy", "", copy},           {"fromkeys", "iterable value?", fromkeys},
    {"clear", "", nullptr},       {"pop", "", nullptr},
    {"popitem", "", nullptr},     {"setdefault", "", nullptr},
    {"update", "", nullptr},
};

}  // namespace

namespace entries {
extern const Family dict;
const Family dict = {functions, "dict"};
}  // namespace entries

}  // namespace ingle::jinja::methods
