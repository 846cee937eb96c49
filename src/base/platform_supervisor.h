// What a service tells the program that started it: systemd's notification protocol, without its library.
#pragma once

#include <string_view>

namespace ingle::platform {

// Sends `state`, e.g. "READY=1", "STOPPING=1" or "STATUS=loading", to the socket that $NOTIFY_SOCKET names. True if it was
// sent; false without such a socket, which is no fault: nobody asked. Source: sd_notify(3).
bool tell_supervisor(std::string_view state);

}  // namespace ingle::platform
