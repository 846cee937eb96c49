#include "chat/jinja/loop.h"

#include "chat/jinja/compare.h"
#include "chat/jinja/runtime.h"

namespace ingle::jinja {

Result<std::optional<Value>> LoopState::pull() {
    for (;;) {
        INGLE_ASSIGN(auto item, source_.next());
        if (!item || !filter) return item;
        INGLE_ASSIGN(const bool chosen, filter(*item));
        if (chosen) return item;
    }
}

Result<bool> LoopState::has_next() {
    if (!ahead_.empty()) return true;
    INGLE_ASSIGN(auto item, pull());
    if (!item) return false;
    ahead_.push_back(std::move(*item));
    return true;
}

Result<bool> LoopState::next() {
    if (!runtime_.meter().spend(2)) return runtime_.meter().out_of_steps();
    INGLE_ASSIGN(const bool more, has_next());
    if (!more) return false;
    previous_ = std::move(current_);
    current_ = std::move(ahead_.front());
    ahead_.pop_front();
    ++index0_;
    return true;
}

Result<int64_t> LoopState::length() {
    if (!filter)
        if (const auto left = source_.known_size())
            return index0_ + 1 + int64_t(ahead_.size()) + int64_t(*left);
    for (;;) {
        INGLE_ASSIGN(auto item, pull());
        if (!item) return index0_ + 1 + int64_t(ahead_.size());
        ahead_.push_back(std::move(*item));
    }
}

Result<Value> LoopState::cycle(Call& call) {
    const Values& values = call.arguments.positional;
    if (values.empty()) return fail(Code::invalid_argument, "no items for cycling given");
    return values[size_t(index0_) % values.size()];
}

Result<Value> LoopState::changed(Call& call) {
    INGLE_ASSIGN(Value now, call.runtime.tuple(std::move(call.arguments.positional)));
    if (last_changed_) {
        INGLE_ASSIGN(const bool same, equal(call.runtime, *last_changed_, now));
        if (same) return Value(false);
    }
    last_changed_ = std::move(now);
    return Value(true);
}

Result<std::optional<Value>> LoopState::neighbour(std::string_view name) {
    if (name == "previtem")
        return std::optional<Value>(previous_ ? *previous_
                                              : Value::undefined("there is no previous item"));
    INGLE_ASSIGN(const bool more, has_next());
    return std::optional<Value>(more ? ahead_.front() : Value::undefined("there is no next item"));
}

Result<std::optional<Value>> LoopState::attribute(std::string_view name) {
    const auto give = [](auto value) { return std::optional<Value>(Value(value)); };
    if (name == "index") return give(index0_ + 1);
    if (name == "index0") return give(index0_);
    if (name == "first") return give(index0_ == 0);
    if (name == "depth") return give(depth0_ + 1);
    if (name == "depth0") return give(depth0_);
    if (name == "previtem" || name == "nextitem") return neighbour(name);
    if (name == "last") {
        INGLE_ASSIGN(const bool more, has_next());
        return give(!more);
    }
    const bool from_end = name == "revindex" || name == "revindex0";
    if (from_end || name == "length") {
        INGLE_ASSIGN(const int64_t all, length());
        return give(!from_end ? all : all - index0_ - (name == "revindex0" ? 1 : 0));
    }
    if (name != "cycle" && name != "changed") return std::optional<Value>();
    Native method{"method", cat("<bound method LoopContext.", name, ">")};
    method.call = [self = shared_from_this(), cycles = name == "cycle"](Call& call) {
        return cycles ? self->cycle(call) : self->changed(call);
    };
    INGLE_ASSIGN(Value made, runtime_.native(std::move(method)));
    return std::optional<Value>(std::move(made));
}

Result<Value> LoopState::object(int items_depth) {
    Native loop{"LoopContext", "<LoopContext>"};
    loop.depth = items_depth + 1;
    loop.attribute = [self = shared_from_this()](std::string_view name) {
        return self->attribute(name);
    };
    loop.call = [self = shared_from_this()](Call& call) -> Result<Value> {
        if (!self->recurse)
            return fail(Code::invalid_argument,
                        "The loop must have the 'recursive' marker to be called recursively.");
        if (call.arguments.positional.size() != 1)
            return fail(Code::invalid_argument, "loop() takes one argument, what to go through");
        return self->recurse(call.arguments.positional[0], self->depth0_ + 1);
    };
    return runtime_.native(std::move(loop));
}

}  // namespace ingle::jinja
