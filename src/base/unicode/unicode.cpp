#include "base/unicode/unicode.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>

#include "base/unicode/tables.h"
#include "base/utf8.h"

namespace ingle::unicode {
namespace {

constexpr uint32_t points = 0x110000;
constexpr uint32_t block_size = 128;
constexpr size_t blocks_max = 512;  // Unicode 18 needs 366

// The runs unpacked: the class of a point is blocks[index[point / 128]][point % 128].
struct ClassTable {
    using Block = std::array<uint8_t, block_size>;
    std::array<uint16_t, points / block_size> index;
    std::array<Block, blocks_max> blocks;
    size_t blocks_count = 0;

    ClassTable() {
        std::array<int, 128> uniform_blocks;  // the block that holds one class only, by class
        uniform_blocks.fill(-1);
        size_t run = 0;
        uint32_t left = class_runs[0] >> 7;
        for (uint16_t& place : index) {
            if (left == 0) left = class_runs[++run] >> 7;
            const uint8_t value = uint8_t(class_runs[run] & 127);
            if (left < block_size) {
                place = uint16_t(blocks_count);
                fill(blocks[blocks_count++], run, left);
                continue;
            }
            left -= block_size;
            if (uniform_blocks[value] < 0) {
                uniform_blocks[value] = int(blocks_count);
                blocks[blocks_count++].fill(value);
            }
            place = uint16_t(uniform_blocks[value]);
        }
        assert(blocks_count <= blocks_max);
    }

    static void fill(Block& block, size_t& run, uint32_t& left) {
        for (uint8_t& entry : block) {
            if (left == 0) left = class_runs[++run] >> 7;
            entry = uint8_t(class_runs[run] & 127);
            --left;
        }
    }
};

const ClassTable& class_table() {
    static const auto table = std::make_unique<ClassTable>();
    return *table;
}

// The mask of every class value.
constexpr std::array<uint32_t, 128> masks = [] {
    std::array<uint32_t, 128> result{};
    for (uint32_t value = 0; value < 128; ++value)
        result[value] =
            1u << (value & 31) | (value & 32 ? white_space : 0u) | (value & 64 ? han : 0u);
    return result;
}();

const MappingRun* find_run(const MappingRun* runs, size_t count, char32_t point) {
    const MappingRun* run = std::upper_bound(
        runs, runs + count, uint32_t(point),
        [](uint32_t value, const MappingRun& candidate) { return value < candidate.first; });
    if (run == runs) return nullptr;
    --run;
    const uint32_t distance = point - run->first;
    return distance % run->step == 0 && distance / run->step < run->count ? run : nullptr;
}

char32_t mapped(const MappingRun& run, char32_t point) {
    return run.target + (point - run.first) / run.step * run.target_step;
}

// Hangul syllables are composed by arithmetic (Unicode standard, chapter 3.12).
bool append_hangul(std::string& out, char32_t point) {
    constexpr uint32_t base = 0xac00, leads = 0x1100, vowels = 0x1161, trails = 0x11a7;
    constexpr uint32_t vowels_count = 21, trails_count = 28, syllables = 19 * 21 * 28;
    if (point < base || point >= base + syllables) return false;
    const uint32_t index = point - base;
    utf8::append(out, leads + index / (vowels_count * trails_count));
    utf8::append(out, vowels + index / trails_count % vowels_count);
    if (index % trails_count != 0) utf8::append(out, trails + index % trails_count);
    return true;
}

}  // namespace

uint32_t classes(char32_t point) {
    if (point >= points) return 0;
    const ClassTable& table = class_table();
    return masks[table.blocks[table.index[point / block_size]][point % block_size]];
}

char32_t lower(char32_t point) {
    const MappingRun* run = find_run(lower_runs, lower_runs_count, point);
    return run ? mapped(*run, point) : point;
}

void append_unaccented(std::string& out, char32_t point) {
    if (classes(point) & Mn || append_hangul(out, point)) return;
    if (const MappingRun* run = find_run(unaccented_runs, unaccented_runs_count, point)) {
        utf8::append(out, mapped(*run, point));
        return;
    }
    const Sequence* end = unaccented_sequences + unaccented_sequences_count;
    const Sequence* sequence = std::lower_bound(
        unaccented_sequences, end, uint32_t(point),
        [](const Sequence& candidate, uint32_t value) { return candidate.point < value; });
    if (sequence == end || sequence->point != point) {
        utf8::append(out, point);
        return;
    }
    for (const uint32_t target : sequence->targets)
        if (target != 0) utf8::append(out, target);
}

}  // namespace ingle::unicode
