// What a chat template renders to: the prompt, and which of its bytes came from data instead of the
// template. The tokenizer parses special tokens only outside the untrusted ranges, so no message
// can forge a turn.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ingle::chat {

// Bytes [begin, end).
struct Range {
    size_t begin = 0;
    size_t end = 0;
    friend bool operator==(const Range&, const Range&) = default;
};

struct Rendered {
    std::string text;
    std::vector<Range> untrusted;  // ascending, disjoint, none empty
};

}  // namespace ingle::chat
