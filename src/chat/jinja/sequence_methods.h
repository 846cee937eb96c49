// The methods that list, tuple and range share.
#pragma once

#include "chat/jinja/function.h"

namespace ingle::jinja {

Result<Value> sequence_count(Call& call);
Result<Value> sequence_index(Call& call);

}  // namespace ingle::jinja
