#include "chat/jinja/unicode.h"

#include <algorithm>
#include <vector>

#include "base/utf8.h"
#include "chat/jinja/unicode_data.h"

namespace ingle::jinja {

namespace {

namespace data = unicode_data;

struct Run {
    char32_t end;
    uint16_t flags;
};

const std::vector<Run>& runs() {
    static const std::vector<Run> decoded = [] {
        std::vector<Run> all;
        char32_t end = 0;
        for (size_t i = 0; i < data::property_run_count; ++i) {
            end += data::property_runs[2 * i];
            all.push_back({end, data::classes[data::property_runs[2 * i + 1]]});
        }
        return all;
    }();
    return decoded;
}

const data::CaseTable& table(Case wanted) {
    static const data::CaseTable* const tables[] = {&data::upper, &data::lower, &data::title,
                                                    &data::fold};
    return *tables[size_t(wanted)];
}

// Runs of stride 2 interleave, so the run of a point may lie a little before the nearest start.
constexpr int runs_back_max = 4;

}  // namespace

bool is(char32_t point, CharacterClass wanted) {
    const auto& all = runs();
    const auto run =
        std::partition_point(all.begin(), all.end(), [&](const Run& r) { return r.end <= point; });
    return run != all.end() && (run->flags & uint16_t(wanted)) != 0;
}

void append_cased(std::string& out, char32_t point, Case wanted) {
    const data::CaseTable& cases = table(wanted);
    const auto* special_end = cases.special + cases.special_count;
    const auto* special = std::partition_point(
        cases.special, special_end, [&](const auto& entry) { return entry.point < point; });
    if (special != special_end && special->point == point) {
        out += special->text;
        return;
    }
    const auto* run = std::partition_point(cases.runs, cases.runs + cases.run_count,
                                           [&](const auto& entry) { return entry.first <= point; });
    for (int back = 0; back < runs_back_max && run != cases.runs; ++back) {
        --run;
        const uint32_t distance = uint32_t(point) - run->first;
        if (distance % run->stride == 0 && distance / run->stride < run->count) {
            utf8::append(out, char32_t(int32_t(point) + run->distance));
            return;
        }
    }
    utf8::append(out, point);
}

}  // namespace ingle::jinja
