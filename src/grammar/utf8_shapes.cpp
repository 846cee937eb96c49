// Code point ranges as UTF-8 byte ranges.
#include <algorithm>

#include "base/utf8.h"
#include "grammar/expression.h"

namespace ingle::grammar {

namespace {

constexpr char32_t last_point = 0x10ffff, first_surrogate = 0xd800, last_surrogate = 0xdfff;

// `low` and `high` have UTF-8 forms of equal length and agree before `at`.
void split(const std::string& low, const std::string& high, size_t at,
           std::vector<std::pair<uint8_t, uint8_t>> prefix,
           std::vector<std::vector<std::pair<uint8_t, uint8_t>>>& out) {
    const uint8_t l = uint8_t(low[at]), h = uint8_t(high[at]);
    if (at + 1 == low.size()) {
        prefix.emplace_back(l, h);
        out.push_back(std::move(prefix));
        return;
    }
    if (l == h) {
        prefix.emplace_back(l, l);
        return split(low, high, at + 1, std::move(prefix), out);
    }
    std::string low_end = low, high_start = high;
    std::fill(low_end.begin() + std::ptrdiff_t(at) + 1, low_end.end(), char(0xbf));
    std::fill(high_start.begin() + std::ptrdiff_t(at) + 1, high_start.end(), char(0x80));
    const bool low_whole =
        std::all_of(low.begin() + std::ptrdiff_t(at) + 1, low.end(), [](char c) { return c == char(0x80); });
    const bool high_whole =
        std::all_of(high.begin() + std::ptrdiff_t(at) + 1, high.end(), [](char c) { return c == char(0xbf); });
    uint8_t first = l, last = h;
    if (!low_whole) {
        auto head = prefix;
        head.emplace_back(l, l);
        split(low, low_end, at + 1, std::move(head), out);
        ++first;
    }
    if (!high_whole) --last;
    if (first <= last) {
        auto middle = prefix;
        middle.emplace_back(first, last);
        for (size_t i = at + 1; i < low.size(); ++i) middle.emplace_back(0x80, 0xbf);
        out.push_back(std::move(middle));
    }
    if (!high_whole) {
        prefix.emplace_back(h, h);
        split(high_start, high, at + 1, std::move(prefix), out);
    }
}

}  // namespace

std::vector<std::vector<std::pair<uint8_t, uint8_t>>> utf8_shapes(char32_t low, char32_t high) {
    std::vector<std::vector<std::pair<uint8_t, uint8_t>>> out;
    constexpr char32_t starts[] = {0, 0x80, 0x800, last_surrogate + 1, 0x10000};
    constexpr char32_t ends[] = {0x7f, 0x7ff, first_surrogate - 1, 0xffff, last_point};
    for (size_t i = 0; i < 5; ++i) {
        const char32_t from = std::max(low, starts[i]), to = std::min(high, ends[i]);
        if (from > to) continue;
        std::string first, last;
        utf8::append(first, from);
        utf8::append(last, to);
        split(first, last, 0, {}, out);
    }
    return out;
}

PointRanges complement(PointRanges ranges) {
    std::sort(ranges.begin(), ranges.end());
    PointRanges out;
    char32_t next = 0;
    for (const auto& [low, high] : ranges) {
        if (low > next) out.emplace_back(next, low - 1);
        next = std::max(next, char32_t(high + 1));
    }
    if (next <= last_point) out.emplace_back(next, last_point);
    return out;
}

Expr characters(Expressions& pool, PointRanges ranges) {
    std::vector<Expr> shapes;
    for (const auto& [low, high] : complement(complement(std::move(ranges)))) {
        for (const auto& shape : utf8_shapes(low, high)) {
            Expr whole = epsilon;
            for (size_t i = shape.size(); i-- > 0;) {
                ByteSet set;
                for (int b = shape[i].first; b <= shape[i].second; ++b) set.set(size_t(b));
                whole = pool.concat(pool.bytes(set), whole);
            }
            shapes.push_back(whole);
        }
    }
    return pool.either(std::move(shapes));
}

}  // namespace ingle::grammar
