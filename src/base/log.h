// Log lines of the library. They go to one sink, standard error by default; answers never do.
#pragma once

#include <functional>
#include <string_view>

#include "base/text.h"

namespace ingle {

enum class LogLevel { error, warning, notice, debug };

using LogSink = std::function<void(LogLevel, std::string_view line)>;

// Replaces the sink of this process; an empty function restores standard error. Not during a run.
void set_log_sink(LogSink sink);
// Lines above this level are dropped before they are built. Default: warning.
void set_log_level(LogLevel level);
bool log_enabled(LogLevel level);
void log_line(LogLevel level, std::string_view line);

template <class... Parts>
void log(LogLevel level, const Parts&... parts) {
    if (log_enabled(level)) log_line(level, cat(parts...));
}

}  // namespace ingle
