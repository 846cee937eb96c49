// A list of formats as a type. The generated quant/all.h names them all: quant::All = List<...>.
#pragma once

#include <cstddef>

namespace ingle::quant {

template <class... Formats>
struct List {
    static constexpr size_t size = sizeof...(Formats);
};

// Calls visitor.operator()<Format>() for every format of the list, in its order.
template <class Visitor, class... Formats>
constexpr void for_each(List<Formats...>, Visitor&& visitor) {
    (visitor.template operator()<Formats>(), ...);
}

}  // namespace ingle::quant
