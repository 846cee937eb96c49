// What Python's str knows of characters: classes and case mappings, by Python's own Unicode
// database.
#pragma once

#include <cstdint>
#include <string>

namespace ingle::jinja {

enum class CharacterClass : uint16_t {
    alpha = 1,
    decimal = 2,
    digit = 4,
    numeric = 8,
    space = 16,
    printable = 32,
    upper = 64,
    lower = 128,
    title = 256,  // titlecase letters such as U+01C5
    cased = 512,
};

bool is(char32_t point, CharacterClass wanted);
inline bool is_space(char32_t point) {
    return is(point, CharacterClass::space);
}

enum class Case { upper, lower, title, fold };

// Appends the mapping of one character, which may be several.
void append_cased(std::string& out, char32_t point, Case wanted);

}  // namespace ingle::jinja
