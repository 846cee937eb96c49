// Stands in for the server in a build that found no Boost.
#include "cli/serve/serve.h"

namespace ingle::cli {

Status run_server(const Invocation&) {
    return fail(Code::unsupported, "this ingle was built without its HTTP server, because Boost.Beast was not found: "
                                   "install libboost-dev, then build again in a new folder");
}

}  // namespace ingle::cli
