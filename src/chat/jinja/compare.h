// Equality, order, membership and hashing, as Python has them.
#pragma once

#include "chat/jinja/value.h"

namespace ingle::jinja {

Result<bool> equal(Runtime& runtime, const Value& a, const Value& b);
// a < b; fails for types that have no order. `sign` is the operator that the message names.
Result<bool> less(Runtime& runtime, const Value& a, const Value& b, std::string_view sign = "<");
// item in container
Result<bool> contains(Runtime& runtime, const Value& container, const Value& item);

// Orders `items` by keys[i], stably. Fails for keys that have no order.
Status sort_by_keys(Runtime& runtime, Values& items, const Values& keys, bool descending);

// Whether the value may be a key: all but lists, dicts and tuples that hold them.
bool hashable(const Value& value);
size_t hash_of(const Value& key);
size_t hash_of(std::string_view key);
bool same_key(const Value& a, const Value& b);

}  // namespace ingle::jinja
