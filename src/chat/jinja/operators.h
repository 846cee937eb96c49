// The arithmetic of the language, as Python has it; whole numbers are limited to 64 bits.
#pragma once

#include "chat/jinja/value.h"

namespace ingle::jinja {

using BinaryFunction = Result<Value> (*)(Runtime&, const Value&, const Value&);
using UnaryFunction = Result<Value> (*)(Runtime&, const Value&);

Result<Value> add(Runtime& runtime, const Value& a, const Value& b);
Result<Value> subtract(Runtime& runtime, const Value& a, const Value& b);
Result<Value> multiply(Runtime& runtime, const Value& a, const Value& b);
Result<Value> divide(Runtime& runtime, const Value& a, const Value& b);
Result<Value> floor_divide(Runtime& runtime, const Value& a, const Value& b);
Result<Value> modulo(Runtime& runtime, const Value& a, const Value& b);
Result<Value> power(Runtime& runtime, const Value& a, const Value& b);

Result<Value> negate(Runtime& runtime, const Value& value);
Result<Value> identity(Runtime& runtime, const Value& value);  // unary plus

// value[start:stop:step]; none stands for a bound that was left out.
Result<Value> slice(Runtime& runtime, const Value& value, const Value& start, const Value& stop,
                    const Value& step);

// & < > ' " as HTML entities; text that is markup already stays as it is.
Result<TextPtr> escape_html(Runtime& runtime, const Value& value);

}  // namespace ingle::jinja
