#include "cli/options/common.h"

#include <cstdio>
#include <memory>

#include "base/log.h"
#include "cli/terminal.h"

namespace ingle::cli {

namespace {

constexpr char group[] = "Help and messages";

// llama.cpp's scale: 0 answers only, 1 errors, 2 warnings, 3 notices, 4 and more everything.
LogLevel level_of(int64_t verbosity) {
    if (verbosity <= 1) return LogLevel::error;
    if (verbosity == 2) return LogLevel::warning;
    return verbosity == 3 ? LogLevel::notice : LogLevel::debug;
}

Status log_to_file(const std::string& path) {
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    const std::shared_ptr<std::FILE> file(std::fopen(path.c_str(), "ab"), Close());
    if (file == nullptr) return fail(Code::io, "cannot open the log file ", quoted(path));
    set_log_sink([file](LogLevel, std::string_view line) {
        std::fprintf(file.get(), "%.*s\n", int(line.size()), line.data());
        std::fflush(file.get());
    });
    return {};
}

}  // namespace

std::vector<Option> common_options() {
    return {
        {.name = "help", .flags = "-h,--help,--usage", .placeholder = "", .default_value = false,
         .help = "show this page", .group = group},
        {.name = "verbose", .flags = "-v,--verbose,--log-verbose", .placeholder = "",
         .default_value = false, .help = "show everything that may help to find a fault",
         .group = group},
        {.name = "verbosity", .flags = "-lv,--verbosity,--log-verbosity", .placeholder = "N",
         .default_value = int64_t(3),
         .help = "0 answers only, 1 errors, 2 warnings, 3 notices, 4 everything", .min = 0,
         .max = 9, .environment = "LOG_VERBOSITY", .group = group},
        {.name = "log_disable", .flags = "--log-disable", .placeholder = "",
         .default_value = false, .help = "write no messages but errors", .group = group},
        {.name = "log_file", .flags = "--log-file", .placeholder = "FILE",
         .default_value = std::string(), .help = "append messages to this file instead of showing them",
         .group = group},
        {.name = "log_colors", .flags = "--log-colors", .placeholder = "WHEN",
         .default_value = std::string("auto"),
         .help = "colours and progress bars; auto: on a terminal, unless NO_COLOR is set",
         .choices = {"auto", "on", "off"}, .group = group, .implied = "on"},
    };
}

Status apply_common_options(const OptionValues& values) {
    LogLevel level = level_of(values.integer("verbosity"));
    if (values.flag("verbose")) level = LogLevel::debug;
    if (values.flag("log_disable")) level = LogLevel::error;
    set_log_level(level);
    choose_decoration(values.text("log_colors"));
    const std::string& file = values.text("log_file");
    return file.empty() ? Status() : log_to_file(file);
}

}  // namespace ingle::cli
