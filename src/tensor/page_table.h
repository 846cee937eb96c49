// Which physical pages hold the tokens of one sequence: its position p lies in page table[p / page_tokens].
#pragma once

#include <cstdint>
#include <span>

namespace ingle {

struct PageEntry {
    uint32_t page = 0;
    // How far the page's tokens have moved since their keys were written: position now = position then + shift.
    // It belongs to the sequence and not to the page, which others may share.
    int32_t shift = 0;

    bool operator==(const PageEntry&) const = default;
};

using PageTable = std::span<const PageEntry>;

}  // namespace ingle
