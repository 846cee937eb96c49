// The state behind the variable "loop": items are pulled, through the loop's filter, only when they
// are needed.
#pragma once

#include <deque>

#include "chat/jinja/iterate.h"

namespace ingle::jinja {

class LoopState : public std::enable_shared_from_this<LoopState> {
  public:
    using Filter = std::function<Result<bool>(const Value&)>;
    using Recurse = std::function<Result<Value>(const Value& iterable, int depth0)>;

    LoopState(Runtime& runtime, Iterator source, int depth0)
        : runtime_(runtime), source_(std::move(source)), depth0_(depth0) {}

    // Moves on; false at the end.
    Result<bool> next();
    const Value& current() const { return *current_; }

    // The object that templates see. It keeps this state alive.
    Result<Value> object(int items_depth);

    Filter filter = {};    // empty: every item
    Recurse recurse = {};  // empty: loop(...) is an error

  private:
    Result<std::optional<Value>> pull();
    Result<bool> has_next();
    Result<int64_t> length();
    Result<std::optional<Value>> attribute(std::string_view name);
    Result<std::optional<Value>> neighbour(std::string_view name);
    Result<Value> cycle(Call& call);
    Result<Value> changed(Call& call);

    Runtime& runtime_;
    Iterator source_;
    int depth0_;
    int64_t index0_ = -1;
    std::deque<Value> ahead_;  // pulled, not yet reached
    std::optional<Value> current_, previous_;
    std::optional<Value> last_changed_;  // a tuple
};

}  // namespace ingle::jinja
