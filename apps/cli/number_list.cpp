#include "cli/number_list.h"

namespace ingle::cli {

namespace {

constexpr size_t numbers_max = 1000;

struct Range {
    int64_t first = 0, last = 0, step = 1;
    bool multiplies = false;
};

std::optional<Range> parse_range(std::string_view text) {
    const size_t dash = text.find('-', 1);
    if (dash == std::string_view::npos) {
        const auto number = parse_int(text);
        if (!number) return std::nullopt;
        return Range{.first = *number, .last = *number};
    }
    Range range;
    const std::string_view rest = text.substr(dash + 1);
    const size_t sign = rest.find_first_of("+*");
    const auto first = parse_int(text.substr(0, dash)), last = parse_int(rest.substr(0, sign));
    if (!first || !last) return std::nullopt;
    range.first = *first;
    range.last = *last;
    if (sign != std::string_view::npos) {
        range.multiplies = rest[sign] == '*';
        const auto step = parse_int(rest.substr(sign + 1));
        if (!step || *step < (range.multiplies ? 2 : 1)) return std::nullopt;
        range.step = *step;
    }
    if (range.last < range.first || (range.multiplies && range.first < 1)) return std::nullopt;
    return range;
}

}  // namespace

Result<std::vector<int64_t>> parse_number_list(std::string_view text, std::string_view what,
                                               int64_t min, int64_t max) {
    std::vector<int64_t> numbers;
    for (const std::string_view part : split(text, ',')) {
        const auto range = parse_range(trim(part));
        if (!range || range->first < min || range->last > max)
            return fail(Code::invalid_argument, what, ": expected numbers from ", min, " to ", max,
                        " as in 512 or 128,256 or 64-256*2, found ", quoted(part));
        for (int64_t n = range->first; n <= range->last;
             n = range->multiplies ? n * range->step : n + range->step) {
            if (numbers.size() == numbers_max)
                return fail(Code::invalid_argument, what, ": more than ", numbers_max, " numbers");
            numbers.push_back(n);
        }
    }
    return numbers;
}

}  // namespace ingle::cli
