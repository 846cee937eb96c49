// What a terminal adds: colour, and a progress bar on standard error. Both are absent when piped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ingle::cli {

// "on", "off" or "auto" (a terminal, and NO_COLOR is not set).
void choose_decoration(std::string_view when);
bool decorated_output();   // standard output
bool decorated_messages(); // standard error

enum class Style { plain, bold, dim, red, green, cyan };
// The text in a style, for standard output or standard error.
std::string styled_output(Style style, std::string_view text);
std::string styled_message(Style style, std::string_view text);

// One line on standard error that fills up and is wiped at the end; nothing at all when piped.
class ProgressBar {
  public:
    explicit ProgressBar(std::string label) : label_(std::move(label)) {}
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;
    ~ProgressBar() { wipe(); }

    // `note` stands behind the percentage, e.g. "12 MiB/s, 40 s left".
    void show(uint64_t done, uint64_t total, std::string_view note = {});
    void wipe();

  private:
    std::string label_;
    std::string shown_note_;
    int shown_percent_ = -1;
};

}  // namespace ingle::cli
