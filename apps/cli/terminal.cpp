#include "cli/terminal.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/platform.h"
#include "base/text.h"

namespace ingle::cli {

namespace {

constexpr int standard_output = 1;
constexpr int standard_error = 2;

enum class When { automatic, always, never };
When chosen = When::automatic;

bool decorated(int descriptor) {
    if (chosen != When::automatic) return chosen == When::always;
    const char* const no_color = std::getenv("NO_COLOR");
    const char* const terminal = std::getenv("TERM");
    return platform::is_terminal(descriptor) && (no_color == nullptr || *no_color == 0) &&
           (terminal == nullptr || std::string_view(terminal) != "dumb");
}

std::string_view escape_of(Style style) {
    static constexpr std::string_view escapes[] = {"",           "\x1b[1m",  "\x1b[2m",
                                                   "\x1b[1;31m", "\x1b[32m", "\x1b[36m"};
    return escapes[size_t(style)];
}

std::string styled(bool on, Style style, std::string_view text) {
    if (!on || style == Style::plain) return std::string(text);
    return cat(escape_of(style), text, "\x1b[0m");
}

}  // namespace

void choose_decoration(std::string_view when) {
    chosen = when == "on" ? When::always : when == "off" ? When::never : When::automatic;
}

bool decorated_output() { return decorated(standard_output); }
bool decorated_messages() { return decorated(standard_error); }

std::string styled_output(Style style, std::string_view text) {
    return styled(decorated_output(), style, text);
}
std::string styled_message(Style style, std::string_view text) {
    return styled(decorated_messages(), style, text);
}

void ProgressBar::show(uint64_t done, uint64_t total, std::string_view note) {
    if (total == 0 || !decorated_messages()) return;
    const int percent = int(100.0 * double(std::min(done, total)) / double(total));
    if (percent == shown_percent_ && note == shown_note_) return;
    shown_percent_ = percent;
    shown_note_ = note;
    const int text = int(label_.size() + note.size()) + 12;
    const int width = std::clamp(platform::terminal_columns() - text, 10, 40);
    const int filled = width * percent / 100;
    const std::string bar = std::string(size_t(filled), '#') + std::string(size_t(width - filled), '.');
    // The end of a longer note is cleared.
    std::fprintf(stderr, "\r%s [%s] %3d%% %s\x1b[K", label_.c_str(), bar.c_str(), percent,
                 shown_note_.c_str());
    std::fflush(stderr);
}

void ProgressBar::wipe() {
    if (shown_percent_ >= 0) std::fputs("\r\x1b[K", stderr);
    shown_percent_ = -1;
}

}  // namespace ingle::cli
