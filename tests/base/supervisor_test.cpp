// The notifications for systemd, received as systemd receives them.
#include "base/platform_supervisor.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "base/platform.h"
#include "base/text.h"

namespace ingle::platform {

namespace {

// A socket with an abstract name, and that name as systemd writes it.
struct Supervisor {
    std::string name = cat("@ingle-test-", process_id());
    int descriptor = ::socket(AF_UNIX, SOCK_DGRAM, 0);

    Supervisor() {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path + 1, name.data() + 1, name.size() - 1);
        const auto size = socklen_t(offsetof(sockaddr_un, sun_path) + name.size());
        EXPECT_EQ(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), size), 0);
        ::setenv("NOTIFY_SOCKET", name.c_str(), 1);
    }
    ~Supervisor() {
        ::unsetenv("NOTIFY_SOCKET");
        ::close(descriptor);
    }
    std::string received() const {
        char text[256];
        const ssize_t size = ::recv(descriptor, text, sizeof(text), MSG_DONTWAIT);
        return size < 0 ? "nothing" : std::string(text, size_t(size));
    }
};

TEST(Supervisor, HearsWhatItIsTold) {
    const Supervisor supervisor;
    EXPECT_TRUE(tell_supervisor("READY=1\nSTATUS=serving"));
    EXPECT_EQ(supervisor.received(), "READY=1\nSTATUS=serving");
    EXPECT_EQ(supervisor.received(), "nothing");
}

TEST(Supervisor, IsNotMissedWhereThereIsNone) {
    ::unsetenv("NOTIFY_SOCKET");
    EXPECT_FALSE(tell_supervisor("READY=1"));
    for (const std::string& name : {std::string("@ingle-nobody"), std::string("/nowhere/at/all"), std::string("relative"),
                                    std::string(300, '/'), std::string()}) {
        ::setenv("NOTIFY_SOCKET", name.c_str(), 1);
        EXPECT_FALSE(tell_supervisor("READY=1")) << name;
    }
    ::unsetenv("NOTIFY_SOCKET");
}

}  // namespace

}  // namespace ingle::platform
