// Filters over sequences: picking, ordering, grouping, cutting.
#include <algorithm>

#include "chat/jinja/compare.h"
#include "chat/jinja/function.h"
#include "chat/jinja/getter.h"
#include "chat/jinja/iterate.h"
#include "chat/jinja/operators.h"
#include "chat/jinja/print.h"
#include "chat/jinja/runtime.h"

namespace ingle::jinja::filters {

namespace {

std::optional<Value> argument(const Call& call, size_t i) {
    return call.given(i) ? std::optional<Value>(call[i]) : std::nullopt;
}

Result<Value> first(Call& call) {
    INGLE_ASSIGN(Iterator iterator, Iterator::over(call.runtime, call.self));
    INGLE_ASSIGN(auto item, iterator.next());
    if (item) return std::move(*item);
    return Value::undefined("No first item, sequence was empty.");
}

Result<Value> last(Call& call) {
    if (call.self.as<GeneratorPtr>()) return type_error(call.self, "object is not reversible");
    INGLE_ASSIGN(const SequencePtr items, all_items(call.runtime, call.self));
    if (!items->items.empty()) return items->items.back();
    return Value::undefined("No last item, sequence was empty.");
}

Result<Value> length(Call& call) {
    INGLE_ASSIGN(const int64_t size, length_of(call.runtime, call.self));
    return Value(size);
}

Result<Value> list(Call& call) {
    INGLE_ASSIGN(const SequencePtr items, all_items(call.runtime, call.self));
    return call.runtime.list(items->items);
}

Result<Value> join(Call& call) {
    const Getter getter = Getter::of(argument(call, 1));
    INGLE_ASSIGN(const TextPtr separator,
                 call.given(0) ? to_text(call.runtime, call[0]) : call.text(0, ""));
    INGLE_ASSIGN(const SequencePtr items, all_items(call.runtime, call.self));
    TextBuilder out(call.runtime.meter());
    for (size_t i = 0; i < items->items.size(); ++i) {
        if (i > 0) out.append(*separator);
        INGLE_ASSIGN(const Value item, getter(call.runtime, items->items[i]));
        INGLE_TRY(append_str(call.runtime, out, item));
    }
    INGLE_ASSIGN(TextPtr made, out.finish());
    return Value(std::move(made));
}

Result<Value> reverse(Call& call) {
    if (call.self.text()) return slice(call.runtime, call.self, Value(), Value(), Value(-1));
    auto items = all_items(call.runtime, call.self);
    if (!items.ok()) return fail(Code::invalid_argument, "argument must be iterable");
    Values reversed((*items)->items.rbegin(), (*items)->items.rend());
    if (call.self.as<GeneratorPtr>() || call.self.is_undefined())
        return call.runtime.list(std::move(reversed));
    return call.runtime.generator(cat(type_name(call.self), "_reverseiterator"),
                                  std::move(reversed));
}

// The keys that items are ordered or compared by.
Result<Values> keys_of(Runtime& runtime, const Values& items, const Getter& getter) {
    Values keys;
    keys.reserve(items.size());
    for (const Value& item : items) {
        INGLE_ASSIGN(Value key, getter(runtime, item));
        keys.push_back(std::move(key));
    }
    return keys;
}

Result<Value> sort(Call& call) {
    Getter getter = Getter::of(argument(call, 2), true);
    getter.ignore_case = !call.flag(1, false);
    INGLE_ASSIGN(const SequencePtr source, all_items(call.runtime, call.self));
    Values items = source->items;
    INGLE_ASSIGN(const Values keys, keys_of(call.runtime, items, getter));
    INGLE_TRY(sort_by_keys(call.runtime, items, keys, call.flag(0, false)));
    return call.runtime.list(std::move(items));
}

Result<Value> unique(Call& call) {
    Getter getter = Getter::of(argument(call, 1));
    getter.ignore_case = !call.flag(0, false);
    INGLE_ASSIGN(const SequencePtr items, all_items(call.runtime, call.self));
    Values kept;
    Dict seen;
    for (const Value& item : items->items) {
        INGLE_ASSIGN(Value key, getter(call.runtime, item));
        if (!hashable(key))
            return fail(Code::invalid_argument, "unhashable type: '", type_name(key), "'");
        if (seen.find(key)) continue;
        seen.set(std::move(key), true);
        kept.push_back(item);
    }
    return call.runtime.generator("generator", std::move(kept));
}

template <bool largest>
Result<Value> extreme(Call& call) {
    Getter getter = Getter::of(argument(call, 1));
    getter.ignore_case = !call.flag(0, false);
    INGLE_ASSIGN(const SequencePtr items, all_items(call.runtime, call.self));
    if (items->items.empty()) return Value::undefined("No aggregated item, sequence was empty.");
    INGLE_ASSIGN(const Values keys, keys_of(call.runtime, items->items, getter));
    size_t best = 0;
    for (size_t i = 1; i < keys.size(); ++i) {
        INGLE_ASSIGN(const bool better, largest ? less(call.runtime, keys[best], keys[i], ">")
                                                : less(call.runtime, keys[i], keys[best]));
        if (better) best = i;
    }
    return items->items[best];
}

Result<Value> sum(Call& call) {
    const Getter getter = Getter::of(argument(call, 0));
    INGLE_ASSIGN(const SequencePtr items, all_items(call.runtime, call.self));
    Value total = call.given(1) ? call[1] : Value(0);
    if (total.text()) return fail(Code::invalid_argument, "sum() can't sum strings");
    for (const Value& item : items->items) {
        INGLE_ASSIGN(const Value value, getter(call.runtime, item));
        INGLE_ASSIGN(total, add(call.runtime, total, value));
    }
    return total;
}

// Appends `count` copies of the filler, within the memory limit.
Status fill(Runtime& runtime, Values& items, const Value& filler, uint64_t count) {
    if (count > runtime.meter().room() / sizeof(Value)) return runtime.meter().out_of_memory();
    INGLE_TRY(runtime.meter().touch(0, count));
    items.insert(items.end(), count, filler);
    return Status();
}

Result<Value> batch(Call& call) {
    INGLE_ASSIGN(const int64_t count, call.integer(0));
    INGLE_ASSIGN(const SequencePtr items, all_items(call.runtime, call.self));
    Values batches, current;
    const auto close = [&]() -> Status {
        INGLE_ASSIGN(Value made, call.runtime.list(std::move(current)));
        batches.push_back(std::move(made));
        current = {};
        return Status();
    };
    // A count below one never fills: the reference then starts with an empty list, once if it is
    // zero.
    if (count == 0 && !items->items.empty()) INGLE_TRY(close());
    for (const Value& item : items->items) {
        if (!current.empty() && int64_t(current.size()) == count) INGLE_TRY(close());
        current.push_back(item);
    }
    if (!current.empty()) {
        const int64_t missing = count - int64_t(current.size());
        if (call.given(1) && !call[1].is_none() && missing > 0)
            INGLE_TRY(fill(call.runtime, current, call[1], uint64_t(missing)));
        INGLE_TRY(close());
    }
    return call.runtime.generator("generator", std::move(batches));
}

Result<Value> slices(Call& call) {
    INGLE_ASSIGN(const int64_t count, call.integer(0));
    if (count == 0) return fail(Code::invalid_argument, "integer division or modulo by zero");
    INGLE_ASSIGN(const SequencePtr items, all_items(call.runtime, call.self));
    const int64_t size = int64_t(items->items.size());
    const int64_t each = count > 0 ? size / count : 0, extra = count > 0 ? size % count : 0;
    Values made;
    for (int64_t i = 0, begin = 0; i < count; ++i) {
        const int64_t end = begin + each + (i < extra ? 1 : 0);
        Values part(items->items.begin() + begin, items->items.begin() + end);
        if (call.given(1) && !call[1].is_none() && i >= extra) part.push_back(call[1]);
        INGLE_ASSIGN(Value list, call.runtime.list(std::move(part)));
        made.push_back(std::move(list));
        begin = end;
    }
    return call.runtime.generator("generator", std::move(made));
}

Result<Value> items(Call& call) {
    if (call.self.is_undefined()) return call.runtime.generator("generator", {});
    if (!call.self.dict())
        return call.runtime.generator(
            "generator", {},
            fail(Code::invalid_argument, "Can only get item pairs from a mapping."));
    Values pairs;
    for (const auto& entry : call.self.dict()->entries()) {
        INGLE_ASSIGN(Value pair, call.runtime.tuple({entry.key, entry.value}));
        pairs.push_back(std::move(pair));
    }
    return call.runtime.generator("generator", std::move(pairs));
}

Result<Value> dictsort(Call& call) {
    if (!call.self.dict()) {
        if (call.self.is_undefined()) return undefined_error(call.self);
        return fail(Code::invalid_argument, "'", type_name(call.self),
                    "' object has no attribute 'items'");
    }
    INGLE_ASSIGN(const TextPtr by, call.text(1, "key"));
    if (by->bytes() != "key" && by->bytes() != "value")
        return fail(Code::invalid_argument, "You can only sort by either \"key\" or \"value\"");
    Getter getter = Getter::of(std::nullopt);
    getter.ignore_case = !call.flag(0, false);
    Values pairs, keys;
    for (const auto& entry : call.self.dict()->entries()) {
        INGLE_ASSIGN(Value pair, call.runtime.tuple({entry.key, entry.value}));
        INGLE_ASSIGN(Value key,
                     getter(call.runtime, by->bytes() == "key" ? entry.key : entry.value));
        pairs.push_back(std::move(pair));
        keys.push_back(std::move(key));
    }
    INGLE_TRY(sort_by_keys(call.runtime, pairs, keys, call.flag(2, false)));
    return call.runtime.list(std::move(pairs));
}

Result<Value> groupby(Call& call) {
    Getter getter = Getter::of(argument(call, 0));
    if (call.given(1) && !call[1].is_none()) getter.otherwise = call[1];
    Getter exact = getter;
    getter.ignore_case = !call.flag(2, false);
    INGLE_ASSIGN(const SequencePtr source, all_items(call.runtime, call.self));
    Values sorted = source->items;
    INGLE_ASSIGN(const Values keys, keys_of(call.runtime, sorted, getter));
    INGLE_TRY(sort_by_keys(call.runtime, sorted, keys, false));
    Values groups;
    for (size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
        INGLE_ASSIGN(const Value key, getter(call.runtime, sorted[begin]));
        for (end = begin + 1; end < sorted.size(); ++end) {
            INGLE_ASSIGN(const Value other, getter(call.runtime, sorted[end]));
            INGLE_ASSIGN(const bool same, equal(call.runtime, key, other));
            if (!same) break;
        }
        INGLE_ASSIGN(Value grouper, exact(call.runtime, sorted[begin]));
        INGLE_ASSIGN(Value members,
                     call.runtime.list(Values(sorted.begin() + std::ptrdiff_t(begin),
                                              sorted.begin() + std::ptrdiff_t(end))));
        INGLE_ASSIGN(Value group, call.runtime.list({std::move(grouper), std::move(members)},
                                                    Sequence::Flavour::group));
        groups.push_back(std::move(group));
    }
    return call.runtime.list(std::move(groups));
}

// A generator in the reference: what is wrong with the input shows only when an item is asked for.
template <Result<Value> (*run)(Call&)>
Result<Value> lazily(Call& call) {
    auto made = run(call);
    if (made.ok()) return made;
    return call.runtime.generator("generator", {}, std::move(made).status());
}

constexpr Function functions[] = {
    {"first", "", first},
    {"last", "", last},
    {"length", "", length},
    {"count", "", length},
    {"list", "", list},
    {"join", "d? attribute?", join},
    {"reverse", "", reverse},
    {"sort", "reverse? case_sensitive? attribute?", sort},
    {"unique", "case_sensitive? attribute?", lazily<unique>},
    {"min", "case_sensitive? attribute?", extreme<false>},
    {"max", "case_sensitive? attribute?", extreme<true>},
    {"sum", "attribute? start?", sum},
    {"batch", "linecount fill_with?", lazily<batch>},
    {"slice", "slices fill_with?", lazily<slices>},
    {"items", "", items},
    {"dictsort", "case_sensitive? by? reverse?", dictsort},
    {"groupby", "attribute default? case_sensitive?", groupby},
};

}  // namespace

namespace entries {
extern const Family sequence;
const Family sequence = {functions};
}  // namespace entries

}  // namespace ingle::jinja::filters
