// Stands in for tls.cpp where the build found no OpenSSL.
#include "server/transport/tls.h"

namespace ingle::server {

Result<std::unique_ptr<Tls>> Tls::open(const std::string&, const std::string&) {
    return fail(Code::unsupported, "this ingle was built without TLS, because OpenSSL was not found: "
                                   "install libssl-dev and build again");
}

}  // namespace ingle::server
