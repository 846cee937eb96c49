// A reference to something callable that outlives the call: two words, no allocation, no ownership.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace ingle {

template <class Signature>
class FunctionRef;

template <class Value, class... Arguments>
class FunctionRef<Value(Arguments...)> {
  public:
    template <class Callable>
        requires(!std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef> &&
                 std::is_invocable_r_v<Value, Callable&, Arguments...>)
    FunctionRef(Callable&& callable)  // NOLINT: implicit on purpose
        : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
          call_([](void* object, Arguments... arguments) -> Value {
              return (*static_cast<std::remove_reference_t<Callable>*>(object))(
                  std::forward<Arguments>(arguments)...);
          }) {}

    Value operator()(Arguments... arguments) const {
        return call_(object_, std::forward<Arguments>(arguments)...);
    }

  private:
    void* object_;
    Value (*call_)(void*, Arguments...);
};

}  // namespace ingle
