#include "base/log.h"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>

namespace ingle {

namespace {

std::mutex sink_mutex;
LogSink& current_sink() {
    static LogSink sink;
    return sink;
}
std::atomic<LogLevel> current_level = LogLevel::warning;

void write_to_standard_error(LogLevel level, std::string_view line) {
    const char* const prefix = level == LogLevel::error     ? "error: "
                               : level == LogLevel::warning ? "warning: "
                                                            : "";
    std::fprintf(stderr, "%s%.*s\n", prefix, int(line.size()), line.data());
}

}  // namespace

void set_log_sink(LogSink sink) {
    const std::lock_guard lock(sink_mutex);
    current_sink() = std::move(sink);
}

void set_log_level(LogLevel level) { current_level = level; }

bool log_enabled(LogLevel level) { return level <= current_level; }

void log_line(LogLevel level, std::string_view line) {
    const std::lock_guard lock(sink_mutex);
    if (current_sink()) current_sink()(level, line);
    else write_to_standard_error(level, line);
}

}  // namespace ingle
