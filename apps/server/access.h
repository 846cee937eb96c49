// Who may ask: keys, and protection from web pages that the user happens to have open.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/error.h"
#include "server/settings.h"

namespace ingle::server {

// Keys as hashes; comparing takes the same time wherever two differ.
class Keys {
  public:
    void add(std::string name, std::string_view key);
    bool empty() const { return keys_.empty(); }
    // The name of the key, or null.
    const std::string* find(std::string_view key) const;

  private:
    struct Key {
        std::string name;
        std::string hash;
    };
    std::vector<Key> keys_;
};

// "127.0.0.1", "::1", "localhost".
bool is_loopback(std::string_view host);
// An address that is the path of a Unix socket.
bool is_socket_path(std::string_view host);

// The key of a request: "Authorization: Bearer KEY" or "X-Api-Key: KEY".
std::string_view key_of(const Request& request);

// Whether a page of this origin may read answers: pages of this server, those that the settings list, and
// (with "localhost" listed) pages of this machine.
bool origin_allowed(const Settings& settings, std::string_view origin, std::string_view host);

// A name that resolves to this machine in a stranger's DNS must not reach it: on loopback only local names are
// answered. Likewise a page of a foreign origin is refused.
std::optional<Error> refuse_foreign(const Request& request, const Settings& settings);

// What a browser asks for before and reads after a request.
void add_origin_headers(const Request& request, const Settings& settings, Response& response);
Response preflight();

}  // namespace ingle::server
