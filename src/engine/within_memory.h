// Memory that cannot be had is a failure like any other: of the request that wanted it, and of no other.
#pragma once

#include <new>
#include <utility>

#include "base/status.h"

namespace ingle {

// Without words, since words take memory.
inline Status out_of_memory() { return Status(Code::out_of_memory, "out of memory"); }

// What `work` returns, a Status; out of memory if it could not get any.
template <class Work>
Status within_memory(Work&& work) {
    try {
        return std::forward<Work>(work)();
    } catch (const std::bad_alloc&) {
        return out_of_memory();
    }
}

}  // namespace ingle
