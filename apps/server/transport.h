// The transport: sockets, HTTP/1.1, TLS and signals on one side, respond() on the other. One or two threads do all
// input and output; endpoints run on a few worker threads; the engine has its own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "server/service.h"

namespace ingle::server {

class Transport {
  public:
    virtual ~Transport() = default;

    // Binds every address of the settings. Fails by name for one that cannot be had, and if this build has no
    // HTTP (Boost was not found) or no TLS (OpenSSL) where it is asked for.
    static Result<std::unique_ptr<Transport>> listen(Service& service);

    // "http://127.0.0.1:8080"
    virtual std::vector<std::string> addresses() const = 0;
    // Serves until stop() or a signal: SIGINT and SIGTERM drain, a second one ends at once; SIGHUP reads the
    // certificate again.
    virtual void run() = 0;
    // Takes no more connections, lets answers under way end (at most drain_timeout), then run() returns. Any thread.
    virtual void stop() = 0;
};

}  // namespace ingle::server
