#!/usr/bin/env python3
"""Writes src/base/unicode/tables.cpp: classes, lower case and accent removal as runs.

Uses the package unicodedata2 (newer Unicode) if it is installed, otherwise Python's own unicodedata.
"""
import pathlib

try:
    import unicodedata2 as unicodedata
except ImportError:
    import unicodedata

POINTS = 0x110000
CATEGORIES = ("Cn Cc Cf Co Cs Ll Lm Lo Lt Lu Mc Me Mn Nd Nl No Pc Pd Pe Pf Pi Po Ps Sc Sk Sm So "
              "Zl Zp Zs").split()
SPACES = {0x9, 0xA, 0xB, 0xC, 0xD, 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029,
          0x202F, 0x205F, 0x3000}  # the property White_Space
HAN_NAMES = ("CJK UNIFIED IDEOGRAPH", "CJK COMPATIBILITY IDEOGRAPH", "CJK RADICAL", "KANGXI RADICAL")
HAN_OTHERS = {0x3005, 0x3007, *range(0x3021, 0x302A), *range(0x3038, 0x303C), 0x16FE2, 0x16FE3,
              *range(0x16FF0, 0x16FF7)}  # the rest of Script=Han


def class_of(point):
    value = CATEGORIES.index(unicodedata.category(chr(point)))
    name = unicodedata.name(chr(point), "")
    if point in SPACES:
        value |= 32
    if name.startswith(HAN_NAMES) or point in HAN_OTHERS:
        value |= 64
    return value


def class_runs():
    runs = []
    for point in range(POINTS):
        value = class_of(point)
        if runs and runs[-1][1] == value:
            runs[-1][0] += 1
        else:
            runs.append([1, value])
    return [f"{length << 7 | value:#x}" for length, value in runs]


def mapping_runs(mapping):
    """{first, count, step between points, target of the first, step between targets}"""
    runs = []
    for point, target in sorted(mapping.items()):
        if runs:
            first, count, step, to, to_step = runs[-1]
            if count == 1 and point - first in (1, 2) and target - to in (0, 1, 2):
                runs[-1] = [first, 2, point - first, to, target - to]
                continue
            if count > 1 and point == first + count * step and target == to + count * to_step:
                runs[-1][1] += 1
                continue
        runs.append([point, 1, 1, target, 0])
    return ["{" + f"{a:#x}, {n}, {s}, {b:#x}, {t}" + "}" for a, n, s, b, t in runs]


def lower_case():
    mapping = {}
    for point in range(POINTS):
        lower = chr(point).lower()
        if lower != chr(point):
            mapping[point] = ord(lower[0])  # U+0130 keeps its dot apart; the dot is dropped here
    return mapping


def accent_removal():
    """Characters whose canonical decomposition, without its non-spacing marks, is another text."""
    single, several = {}, {}
    for point in range(POINTS):
        whole = unicodedata.normalize("NFD", chr(point))
        if whole == chr(point) or 0xAC00 <= point <= 0xD7A3:  # Hangul is computed
            continue
        rest = [ord(c) for c in whole if unicodedata.category(c) != "Mn"]
        if len(rest) == 1:
            single[point] = rest[0]
        elif len(rest) > 1:
            several[point] = rest
    return single, several


def rows(items):
    lines, line = [], "   "
    for item in items:
        if len(line) + len(item) + 2 > 99:
            lines.append(line)
            line = "   "
        line += f" {item},"
    return "\n".join(lines + [line])


def main():
    single, several = accent_removal()
    pairs = ["{" + f"{p:#x}, {{" + ", ".join(f"{c:#x}" for c in rest) + "}}"
             for p, rest in sorted(several.items())]
    assert max(len(rest) for rest in several.values()) <= 3
    text = f"""// Unicode {unicodedata.unidata_version} as runs; written by tools/unicode_tables.py, do not edit.
#include "base/unicode/tables.h"

namespace ingle::unicode {{

// Lengths and classes of all runs of code points from U+0000: length << 7 | class.
const uint32_t class_runs[] = {{
{rows(class_runs())}
}};
const size_t class_runs_count = sizeof(class_runs) / sizeof(class_runs[0]);

const MappingRun lower_runs[] = {{
{rows(mapping_runs(lower_case()))}
}};
const size_t lower_runs_count = sizeof(lower_runs) / sizeof(lower_runs[0]);

const MappingRun unaccented_runs[] = {{
{rows(mapping_runs(single))}
}};
const size_t unaccented_runs_count = sizeof(unaccented_runs) / sizeof(unaccented_runs[0]);

const Sequence unaccented_sequences[] = {{
{rows(pairs)}
}};
const size_t unaccented_sequences_count =
    sizeof(unaccented_sequences) / sizeof(unaccented_sequences[0]);

}}  // namespace ingle::unicode
"""
    path = pathlib.Path(__file__).parent.parent / "src/base/unicode/tables.cpp"
    path.write_text(text)


main()
