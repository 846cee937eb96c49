// Clients through TLS, where the build has OpenSSL.
#pragma once

#include "server/transport/connection.h"

namespace ingle::server {

class Tls {
  public:
    virtual ~Tls() = default;
    // Reads key and certificate, two PEM files. Fails in a build without OpenSSL.
    static Result<std::unique_ptr<Tls>> open(const std::string& key_file, const std::string& certificate_file);
    // Reads them again; on failure the old ones stay.
    virtual Status reload() = 0;
    virtual std::unique_ptr<ByteStream> make_stream(Socket socket) = 0;
};

}  // namespace ingle::server
