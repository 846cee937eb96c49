// The global functions of the language.
#include <limits>

#include "chat/jinja/compare.h"
#include "chat/jinja/function.h"
#include "chat/jinja/iterate.h"
#include "chat/jinja/runtime.h"

namespace ingle::jinja::globals {

namespace {

constexpr uint64_t range_items_max = 100'000;  // the sandbox's own limit

Result<Value> range(Call& call) {
    INGLE_ASSIGN(const int64_t first, call.integer(0));
    const bool bounded = call.given(1);
    INGLE_ASSIGN(const int64_t second, call.integer(1));
    INGLE_ASSIGN(const int64_t step, call.integer(2, 1));
    const int64_t start = bounded ? first : 0, stop = bounded ? second : first;
    if (step == 0 || step == std::numeric_limits<int64_t>::min())
        return fail(Code::invalid_argument, "range() arg 3 must not be zero");
    const uint64_t distance = step > 0 ? (stop > start ? uint64_t(stop) - uint64_t(start) : 0)
                                       : (start > stop ? uint64_t(start) - uint64_t(stop) : 0);
    const uint64_t stride = step > 0 ? uint64_t(step) : uint64_t(-step);
    const uint64_t count = distance / stride + (distance % stride != 0);
    if (count > range_items_max)
        return fail(Code::limit, "Range too big. The sandbox blocks ranges larger than ",
                    range_items_max, ".");
    Values items;
    items.reserve(count);
    for (uint64_t i = 0; i < count; ++i) items.push_back(Value(start + int64_t(i) * step));
    INGLE_ASSIGN(const Value list, call.runtime.list(std::move(items)));
    auto made = std::make_shared<Sequence>();
    made->flavour = Sequence::Flavour::range;
    made->items = list.sequence()->items;
    made->range = {start, stop, step};
    made->charge = Charge(call.runtime.meter(), count * sizeof(Value));
    return Value(SequencePtr(std::move(made)));
}

// dict(pairs or a mapping, name=value, ...)
Result<Dict> dict_of(Call& call) {
    Dict made;
    if (call.given(0) && call[0].dict()) {
        for (const auto& entry : call[0].dict()->entries()) made.set(entry.key, entry.value);
    } else if (call.given(0) && call[0].as<NamespacePtr>()) {
        return type_error(call[0], "object is not iterable");
    } else if (call.given(0)) {
        INGLE_ASSIGN(const SequencePtr pairs, all_items(call.runtime, call[0]));
        for (const Value& pair : pairs->items) {
            INGLE_ASSIGN(const SequencePtr parts, all_items(call.runtime, pair));
            if (parts->items.size() != 2)
                return fail(Code::invalid_argument,
                            "dictionary update sequence element has length ", parts->items.size(),
                            "; 2 is required");
            if (!hashable(parts->items[0]))
                return fail(Code::invalid_argument, "unhashable type: '",
                            type_name(parts->items[0]), "'");
            made.set(parts->items[0], parts->items[1]);
        }
    }
    for (auto& [name, value] : call.arguments.named) made.set(Value(name), std::move(value));
    return made;
}

Result<Value> dict(Call& call) {
    INGLE_ASSIGN(Dict made, dict_of(call));
    return call.runtime.dict(std::move(made));
}

Result<Value> make_namespace(Call& call) {
    INGLE_ASSIGN(Dict made, dict_of(call));
    return call.runtime.make_namespace(std::move(made));
}

// cycler(a, b, ...): next(), current, reset()
Result<Value> cycler(Call& call) {
    if (call.arguments.positional.empty())
        return fail(Code::invalid_argument, "at least one item has to be provided");
    INGLE_ASSIGN(const Value held, call.runtime.list(std::move(call.arguments.positional)));
    const SequencePtr items = *held.as<SequencePtr>();
    const auto position = std::make_shared<size_t>(0);
    Native made{"Cycler", "<Cycler>"};
    made.depth = items->depth + 1;
    Runtime& runtime = call.runtime;
    made.attribute = [items, position,
                      &runtime](std::string_view name) -> Result<std::optional<Value>> {
        if (name == "current") return std::optional<Value>(items->items[*position]);
        if (name != "next" && name != "reset") return std::optional<Value>();
        Native method{"method", cat("<bound method Cycler.", name, ">")};
        method.depth = items->depth + 1;
        method.call = [items, position, moves = name == "next"](Call&) -> Result<Value> {
            const Value current = items->items[*position];
            *position = moves ? (*position + 1) % items->items.size() : 0;
            return moves ? current : Value();
        };
        INGLE_ASSIGN(Value bound, runtime.native(std::move(method)));
        return std::optional<Value>(std::move(bound));
    };
    return call.runtime.native(std::move(made));
}

// joiner(separator): nothing at the first call, the separator after that.
Result<Value> joiner(Call& call) {
    const Value separator = call.given(0) ? call[0] : Value::text(", ");
    const auto used = std::make_shared<bool>(false);
    Native made{"Joiner", "<Joiner>"};
    made.depth = depth_of(separator) + 1;
    made.call = [separator, used](Call&) -> Result<Value> {
        return std::exchange(*used, true) ? separator : Value::text("");
    };
    return call.runtime.native(std::move(made));
}

constexpr Function functions[] = {
    {"range", "start stop? step?", range},
    {"dict", "iterable? *", dict},
    {"namespace", "iterable? *", make_namespace},
    {"cycler", "*", cycler},
    {"joiner", "sep?", joiner},
};

}  // namespace

namespace entries {
extern const Family basic;
const Family basic = {functions};
}  // namespace entries

}  // namespace ingle::jinja::globals
