#include "chat/jinja/sequence_methods.h"

#include <algorithm>

#include "chat/jinja/compare.h"
#include "chat/jinja/runtime.h"

namespace ingle::jinja {

Result<Value> sequence_count(Call& call) {
    int64_t found = 0;
    for (const Value& item : call.self.sequence()->items) {
        INGLE_ASSIGN(const bool same, equal(call.runtime, item, call[0]));
        found += same;
    }
    return Value(found);
}

Result<Value> sequence_index(Call& call) {
    const Values& items = call.self.sequence()->items;
    const int64_t size = int64_t(items.size());
    INGLE_ASSIGN(int64_t begin, call.integer(1, 0));
    INGLE_ASSIGN(int64_t end, call.integer(2, size));
    begin = begin < 0 ? std::max<int64_t>(begin + size, 0) : begin;
    end = std::min(end < 0 ? end + size : end, size);
    for (int64_t i = begin; i < end; ++i) {
        INGLE_ASSIGN(const bool same, equal(call.runtime, items[size_t(i)], call[0]));
        if (same) return Value(i);
    }
    return fail(Code::invalid_argument, "the value is not in the ", type_name(call.self));
}

}  // namespace ingle::jinja
