#include "chat/jinja/compare.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "chat/jinja/iterate.h"
#include "chat/jinja/runtime.h"

namespace ingle::jinja {

namespace {

// Distinct tuples that share their parts can be exponentially large: looking inside keys ends here.
constexpr int key_parts_max = 1000;

bool same_number(const Value& a, const Value& b) {
    const auto x = a.integer(), y = b.integer();
    return x && y ? *x == *y : *a.number() == *b.number();
}

bool hashable_within(const Value& value, int& budget) {
    if (--budget < 0) return false;
    if (value.dict()) return false;
    const Sequence* sequence = value.sequence();
    if (!sequence) return true;
    if (sequence->flavour == Sequence::Flavour::range) return true;
    if (!sequence->is_tuple()) return false;
    for (const Value& item : sequence->items)
        if (!hashable_within(item, budget)) return false;
    return true;
}

bool same_key_within(const Value& a, const Value& b, int& budget) {
    if (--budget < 0) return false;
    if (a.number() && b.number()) return same_number(a, b);
    if (a.data().index() != b.data().index()) return false;
    if (a.text()) return a.text()->bytes() == b.text()->bytes();
    if (a.is_none() || a.is_undefined()) return true;
    const Sequence *x = a.sequence(), *y = b.sequence();
    if (!x) return a.data() == b.data();
    if (x == y) return true;
    if (x->is_tuple() != y->is_tuple() || x->items.size() != y->items.size()) return false;
    for (size_t i = 0; i < x->items.size(); ++i)
        if (!same_key_within(x->items[i], y->items[i], budget)) return false;
    return true;
}

Result<bool> equal_items(Runtime& runtime, const Values& a, const Values& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
        INGLE_ASSIGN(const bool same, equal(runtime, a[i], b[i]));
        if (!same) return false;
    }
    return true;
}

Result<bool> equal_sequences(Runtime& runtime, const Sequence& a, const Sequence& b) {
    using Flavour = Sequence::Flavour;
    if (&a == &b) return true;
    if (a.flavour == Flavour::keys && b.flavour == Flavour::keys) {
        if (a.items.size() != b.items.size()) return false;
        Dict set;
        for (const Value& key : a.items) set.set(key, true);
        for (const Value& key : b.items)
            if (!set.find(key)) return false;
        return true;
    }
    const bool comparable = (a.is_tuple() && b.is_tuple()) || a.flavour == b.flavour;
    if (!comparable || a.flavour == Flavour::values) return false;
    return equal_items(runtime, a.items, b.items);
}

Result<bool> equal_dicts(Runtime& runtime, const Dict& a, const Dict& b) {
    if (&a == &b) return true;
    if (a.size() != b.size()) return false;
    for (const auto& entry : a.entries()) {
        const Value* other = b.find(entry.key);
        if (!other) return false;
        INGLE_ASSIGN(const bool same, equal(runtime, entry.value, *other));
        if (!same) return false;
    }
    return true;
}

}  // namespace

bool hashable(const Value& value) {
    int budget = key_parts_max;
    return hashable_within(value, budget);
}

size_t hash_of(std::string_view key) {
    return std::hash<std::string_view>()(key);
}

size_t hash_of(const Value& key) {
    if (const Text* text = key.text()) return hash_of(text->bytes());
    if (const auto number = key.number()) return std::hash<double>()(*number);
    if (const Sequence* tuple = key.sequence()) {
        size_t hash = tuple->items.size();
        for (const Value& item : tuple->items)
            hash = hash * 31 + (item.sequence() ? 1 : hash_of(item));
        return hash;
    }
    return key.data().index();
}

bool same_key(const Value& a, const Value& b) {
    int budget = key_parts_max;
    return same_key_within(a, b, budget);
}

Result<bool> equal(Runtime& runtime, const Value& a, const Value& b) {
    if (!runtime.meter().spend(1)) return runtime.meter().out_of_steps();
    if (a.number() && b.number()) return same_number(a, b);
    if (a.data().index() != b.data().index()) return false;
    if (a.text()) return a.text()->bytes() == b.text()->bytes();
    if (a.is_none() || a.is_undefined()) return true;
    const Nesting nesting(runtime);
    INGLE_TRY(nesting.entered());
    if (a.sequence()) return equal_sequences(runtime, *a.sequence(), *b.sequence());
    if (a.dict()) return equal_dicts(runtime, *a.dict(), *b.dict());
    return a.data() == b.data();
}

Result<bool> less(Runtime& runtime, const Value& a, const Value& b, std::string_view sign) {
    if (!runtime.meter().spend(1)) return runtime.meter().out_of_steps();
    const auto x = a.integer(), y = b.integer();
    if (x && y) return *x < *y;
    if (a.number() && b.number()) return *a.number() < *b.number();
    if (a.text() && b.text()) return a.text()->bytes() < b.text()->bytes();
    if (a.is_undefined()) return undefined_error(a);
    if (b.is_undefined()) return undefined_error(b);
    const Sequence *left = a.sequence(), *right = b.sequence();
    const bool ordered =
        left && right &&
        ((left->is_list() && right->is_list()) || (left->is_tuple() && right->is_tuple()));
    if (!ordered) {
        const bool swapped = sign.front() == '>';  // a > b comes here as b < a
        return fail(Code::invalid_argument, "'", sign, "' not supported between instances of '",
                    type_name(swapped ? b : a), "' and '", type_name(swapped ? a : b), "'");
    }
    const Nesting nesting(runtime);
    INGLE_TRY(nesting.entered());
    const size_t shared = std::min(left->items.size(), right->items.size());
    for (size_t i = 0; i < shared; ++i) {
        INGLE_ASSIGN(const bool same, equal(runtime, left->items[i], right->items[i]));
        if (!same) return less(runtime, left->items[i], right->items[i], sign);
    }
    return left->items.size() < right->items.size();
}

Result<bool> contains(Runtime& runtime, const Value& container, const Value& item) {
    if (const Text* text = container.text()) {
        if (!item.text())
            return fail(Code::invalid_argument,
                        "'in <string>' requires string as left operand, not ", type_name(item));
        INGLE_TRY(runtime.meter().touch(text->bytes().size()));
        return text->bytes().find(item.text()->bytes()) != std::string_view::npos;
    }
    const Sequence* sequence = container.sequence();
    const bool keyed =
        container.dict() || (sequence && sequence->flavour == Sequence::Flavour::keys);
    if (keyed && !hashable(item))
        return fail(Code::invalid_argument, "unhashable type: '", type_name(item), "'");
    if (const Dict* dict = container.dict()) return dict->find(item) != nullptr;
    if (container.is_undefined()) return false;
    auto iterator = Iterator::over(runtime, container);
    if (!iterator.ok())
        return fail(Code::invalid_argument, "argument of type '", type_name(container),
                    "' is not iterable");
    for (;;) {
        INGLE_ASSIGN(const auto next, iterator->next());
        if (!next) return false;
        INGLE_ASSIGN(const bool same, equal(runtime, *next, item));
        if (same) return true;
    }
}

// Bottom-up merge sort: comparisons may fail, which the standard algorithms have no way to say.
Status sort_by_keys(Runtime& runtime, Values& items, const Values& keys, bool descending) {
    const size_t count = items.size();
    std::vector<size_t> order(count), merged(count);
    for (size_t i = 0; i < count; ++i) order[i] = i;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * width) {
            const size_t middle = std::min(begin + width, count);
            const size_t end = std::min(begin + 2 * width, count);
            size_t left = begin, right = middle;
            for (size_t out = begin; out < end; ++out) {
                bool take_right = left == middle;
                if (!take_right && right < end) {
                    const Value &a = keys[order[left]], &b = keys[order[right]];
                    INGLE_ASSIGN(take_right,
                                 descending ? less(runtime, a, b) : less(runtime, b, a));
                }
                merged[out] = order[take_right ? right++ : left++];
            }
        }
        order.swap(merged);
    }
    Values sorted;
    sorted.reserve(count);
    for (const size_t i : order) sorted.push_back(items[i]);
    items = std::move(sorted);
    return Status();
}

}  // namespace ingle::jinja
