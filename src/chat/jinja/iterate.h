// Going through anything that Python can iterate: sequences, keys of a dict, characters,
// generators.
#pragma once

#include <optional>

#include "chat/jinja/value.h"

namespace ingle::jinja {

class Iterator {
  public:
    // Fails for values that cannot be iterated. An undefined value is empty.
    static Result<Iterator> over(Runtime& runtime, const Value& value);

    // The next item, or nothing at the end.
    Result<std::optional<Value>> next();
    // How many are left, if that is known without asking.
    std::optional<size_t> known_size() const;

  private:
    SequencePtr items_;
    size_t position_ = 0;
    GeneratorPtr generator_;
};

// All items; consumes a generator. A list or tuple is given as it is.
Result<SequencePtr> all_items(Runtime& runtime, const Value& value);
// len(value)
Result<int64_t> length_of(Runtime& runtime, const Value& value);

}  // namespace ingle::jinja
