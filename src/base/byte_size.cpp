#include "base/byte_size.h"

#include "base/text.h"

namespace ingle {

std::optional<uint64_t> parse_bytes(std::string_view text) {
    const size_t end = text.find_first_not_of("0123456789.");
    const auto number = parse_real(text.substr(0, end));
    std::string_view unit = end == std::string_view::npos ? "" : text.substr(end);
    if (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
    constexpr std::string_view prefixes = "KMGT";
    double factor = 1;
    if (!unit.empty() && unit != "B") {
        const size_t power = prefixes.find(char(unit.front() & ~0x20));
        if (power == std::string_view::npos) return std::nullopt;
        for (size_t i = 0; i <= power; ++i) factor *= 1024;
        unit.remove_prefix(1);
        if (!unit.empty() && unit != "B" && unit != "iB") return std::nullopt;
    }
    if (!number || !(*number >= 0) || *number * factor >= 0x1p62) return std::nullopt;
    return uint64_t(*number * factor);
}

}  // namespace ingle
