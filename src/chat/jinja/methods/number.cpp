// Methods of float.
#include <cmath>

#include "chat/jinja/function.h"

namespace ingle::jinja::methods {

namespace {

Result<Value> is_integer(Call& call) {
    const double value = *call.self.number();
    return Value(std::isfinite(value) && std::floor(value) == value);
}

constexpr Function functions[] = {{"is_integer", "", is_integer}};

}  // namespace

namespace entries {
extern const Family number;
const Family number = {functions, "float"};
}  // namespace entries

}  // namespace ingle::jinja::methods
