// The actions of `ingle gguf`: each takes the words after its name.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/option.h"
#include "container/copy.h"

namespace ingle::cli {

struct GgufCall {
    const OptionValues& values;
    std::span<const std::string> words;  // as many as the action asks for
};

struct GgufAction {
    std::string_view name;
    std::string_view words;  // for people, "FILE KEY..."
    std::string_view help;
    size_t words_min;
    size_t words_max;
    Status (*run)(const GgufCall&);
};

// Those that look and those that write.
std::span<const GgufAction> gguf_reports();
std::span<const GgufAction> gguf_changes();

// Moves a progress bar; fails on Ctrl-C.
container::Progress show_progress(std::string label);

}  // namespace ingle::cli
