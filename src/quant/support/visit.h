// The only place where a run-time format id becomes a type. It brings every format in.
#pragma once

#include <cstdint>

#include "quant/all.h"

namespace ingle::quant {

namespace detail {
template <class Visitor, class... Formats>
bool visit(uint32_t gguf_id, Visitor& visitor, List<Formats...>) {
    return ((Formats::gguf_id == gguf_id && (visitor.template operator()<Formats>(), true)) || ...);
}
}  // namespace detail

// visit(id, [&]<class Format>() {...}): calls the visitor with the format of that GGUF type id.
// False, and no call, if there is none.
template <class Visitor>
bool visit(uint32_t gguf_id, Visitor&& visitor) {
    return detail::visit(gguf_id, visitor, All{});
}

}  // namespace ingle::quant
