// Sizes of memory as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ingle {

// "6G", "1.5 GiB", "800MB", "4096": units are powers of 1024 in either spelling. Nothing if it is no size, or too large.
std::optional<uint64_t> parse_bytes(std::string_view text);

}  // namespace ingle
