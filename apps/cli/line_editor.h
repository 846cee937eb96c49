// Reading lines from a person (editing, history) or from a pipe.
#pragma once

#include <memory>
#include <string>

namespace ingle::cli {

enum class LineEnd {
    line,       // a line was read
    cancelled,  // Ctrl-C: the line was given up
    closed,     // Ctrl-D or the end of the input
};

class LineEditor {
  public:
    virtual ~LineEditor() = default;
    // `line` comes without its newline. The prompt is shown to a person only.
    virtual LineEnd read(const std::string& prompt, std::string& line) = 0;
    // Adds to the history that the arrow keys bring back, also in later runs.
    virtual void remember(const std::string& line) = 0;
};

// The editor for standard input as it is: a terminal or a pipe.
std::unique_ptr<LineEditor> make_line_editor();

}  // namespace ingle::cli
