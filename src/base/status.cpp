#include "base/status.h"

namespace ingle {

std::string_view to_string(Code code) {
    switch (code) {
        case Code::ok: return "ok";
        case Code::invalid_argument: return "invalid argument";
        case Code::not_found: return "not found";
        case Code::corrupt: return "corrupt";
        case Code::unsupported: return "unsupported";
        case Code::out_of_memory: return "out of memory";
        case Code::io: return "input/output error";
        case Code::limit: return "limit reached";
        case Code::cancelled: return "cancelled";
        case Code::internal: return "internal error";
    }
    return "unknown";
}

}  // namespace ingle
