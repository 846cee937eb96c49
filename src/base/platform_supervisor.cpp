#include "base/platform_supervisor.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace ingle::platform {

bool tell_supervisor(std::string_view state) {
    const char* const path = std::getenv("NOTIFY_SOCKET");
    sockaddr_un address{};
    const size_t length = path == nullptr ? 0 : std::strlen(path);
    if (length < 2 || length >= sizeof(address.sun_path) || (path[0] != '/' && path[0] != '@')) return false;
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path, length);
    if (path[0] == '@') address.sun_path[0] = '\0';  // an abstract name
    const int descriptor = ::socket(AF_UNIX, SOCK_DGRAM, 0);
    if (descriptor < 0) return false;
    const auto size = socklen_t(offsetof(sockaddr_un, sun_path) + length);
    const bool sent = ::sendto(descriptor, state.data(), state.size(), 0,
                               reinterpret_cast<const sockaddr*>(&address), size) == ssize_t(state.size());
    ::close(descriptor);
    return sent;
}

}  // namespace ingle::platform
