// How long something takes, for tests that some input must not take forever.
#pragma once

#include <ctime>

namespace ingle {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr double sanitizer_slowdown = 15;
#else
inline constexpr double sanitizer_slowdown = 1;
#endif

// Counts this process's processor time from when it is made: other work on the machine does not count, and of a
// sanitized build only a fifteenth does.
class Stopwatch {
public:
    double seconds() const { return (now() - begin_) / sanitizer_slowdown; }

private:
    static double now() {
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    }

    double begin_ = now();
};

}  // namespace ingle
