// Matching by hand what the pre-tokenizers' regular expressions say: characters, runs of a class,
// and the alternatives that many of them share. No state, no recursion; each function looks at
// every byte once.
//
// A matcher takes a text and a place inside it and returns where its match ends, or that same place
// when nothing matches. A broken byte counts as a character without any class.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/unicode/unicode.h"

namespace ingle::pre {

// Where the words of a text end, ascending; the last end is the text's size.
using Ends = std::vector<size_t>;
using Match = size_t (*)(std::string_view text, size_t at);

struct Character {
    uint32_t classes;
    char32_t point;
    size_t length;
};
Character wide_character(std::string_view text, size_t at);

// The character at `at` < text.size().
inline Character character_at(std::string_view text, size_t at) {
    const unsigned char byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) return {unicode::classes(byte), byte, 1};
    return wide_character(text, at);
}

// Characters that have one of the classes `any` and none of `none`.
struct Set {
    uint32_t any;
    uint32_t none = 0;
    bool has(const Character& c) const { return (c.classes & any) != 0 && (c.classes & none) == 0; }
};
inline constexpr Set letters{unicode::letter};
inline constexpr Set numbers{unicode::number};
inline constexpr Set spaces{unicode::white_space};
inline constexpr Set symbols_and_punctuation{unicode::punctuation | unicode::symbol};
// Classes whose complement is wanted: [^\s\p{L}\p{N}] is except(text, at, word_classes).
inline constexpr uint32_t word_classes = unicode::white_space | unicode::letter | unicode::number;

// Past the characters for which `accepts(Character)` holds, at most `count_max` of them.
template <class Accepts>
size_t skip_while(std::string_view text, size_t at, Accepts accepts, size_t count_max = SIZE_MAX) {
    for (size_t count = 0; at < text.size() && count < count_max; ++count) {
        const Character c = character_at(text, at);
        if (!accepts(c)) break;
        at += c.length;
    }
    return at;
}
inline size_t skip(std::string_view text, size_t at, Set set, size_t count_max = SIZE_MAX) {
    return skip_while(text, at, [set](const Character& c) { return set.has(c); }, count_max);
}
inline size_t skip_except(std::string_view text, size_t at, uint32_t classes) {
    return skip_while(text, at,
                      [classes](const Character& c) { return (c.classes & classes) == 0; });
}
inline size_t skip_bytes(std::string_view text, size_t at, std::string_view bytes) {
    while (at < text.size() && bytes.find(text[at]) != std::string_view::npos) ++at;
    return at;
}
inline bool is_at(std::string_view text, size_t at, char byte) {
    return at < text.size() && text[at] == byte;
}

// The first of the matchers that matches at all.
template <class... Matchers>
size_t first_of(std::string_view text, size_t at, Matchers... matchers) {
    size_t end = at;
    (void)(((end = matchers(text, at)) != at) || ...);
    return end;
}

//   's|'t|'re|'ve|'m|'ll|'d                 lower_contraction
//   (?i:'s|'t|'re|'ve|'m|'ll|'d)            contraction
size_t lower_contraction(std::string_view text, size_t at);
size_t contraction(std::string_view text, size_t at);

//    ?\p{L}+     ?\p{N}+                    spaced<letters>, spaced<numbers>
template <const Set& set>
size_t spaced(std::string_view text, size_t at) {
    const size_t begin = at + is_at(text, at, ' ');
    const size_t end = skip(text, begin, set);
    return end == begin ? at : end;
}
//    ?[^\s\p{L}\p{N}]+                      spaced_others
//    ?[^\s\p{L}\p{N}]+[\r\n]*               spaced_others_and_lines
//    ?[^\s\p{L}\p{N}]+[\r\n/]*              spaced_others_and_paths
size_t spaced_others(std::string_view text, size_t at);
size_t spaced_others_and_lines(std::string_view text, size_t at);
size_t spaced_others_and_paths(std::string_view text, size_t at);

//   [^\r\n\p{L}\p{N}]?\p{L}+                prefixed_letters
size_t prefixed_letters(std::string_view text, size_t at);
//   \p{N}{1,3}     \p{N}                    up_to<numbers, 3>, up_to<numbers, 1>
template <const Set& set, size_t count_max>
size_t up_to(std::string_view text, size_t at) {
    return skip(text, at, set, count_max);
}
//   \s*[\r\n]+                              lines
size_t lines(std::string_view text, size_t at);
//   \s+(?!\S)|\s+                           blanks
size_t blanks(std::string_view text, size_t at);

// Words in which capitals precede small letters, shared by the GPT-4o family:
//   P?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+ | P?[capitals]+[small]*
// with P = [^\r\n\p{L}\p{N}] and characters with a class of `without` in neither set.
size_t cased_word(std::string_view text, size_t at, uint32_t without);

// The word of GPT-4o: cased_word with the contraction after it, or
//   \p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
size_t gpt4o_word(std::string_view text, size_t at);

//    ?[^(\s|.,!?…。，、।۔،)]+               unbroken_word
size_t unbroken_word(std::string_view text, size_t at);
//   [0-9][0-9][0-9]                         three_digits
size_t three_digits(std::string_view text, size_t at);

//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
size_t gpt2_word(std::string_view text, size_t at);
// The pattern of Llama 3 with \p{N}{1,numbers_max}.
template <size_t numbers_max>
size_t llama3_word(std::string_view text, size_t at) {
    return first_of(text, at, contraction, prefixed_letters, up_to<numbers, numbers_max>,
                    spaced_others_and_lines, lines, blanks);
}

//   [\r\n]                                  line_end
inline size_t line_end(std::string_view text, size_t at) {
    return at + (is_at(text, at, '\r') || is_at(text, at, '\n'));
}
//   \s?\p{L}+                               after_space<letters>
template <const Set& set>
size_t after_space(std::string_view text, size_t at) {
    const size_t begin = skip(text, at, spaces, 1);
    const size_t end = skip(text, begin, set);
    return end == begin ? at : end;
}
//   [^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+    marked_letters_after<letter | punctuation | symbol>
template <uint32_t refused>
size_t marked_letters_after(std::string_view text, size_t at) {
    constexpr Set letters_and_marks{unicode::letter | unicode::mark};
    if (at >= text.size()) return at;
    const Character first = character_at(text, at);
    if ((first.classes & refused) == 0 && first.point != '\r' && first.point != '\n') {
        const size_t begin = at + first.length;
        const size_t end = skip(text, begin, letters_and_marks);
        if (end != begin) return end;
    }
    return skip(text, at, letters_and_marks);
}
// The pattern that ends the rules of DeepSeek V3 and AFMoE; `symbol` stands for their ASCII list.
//   symbol[A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|
//   ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
size_t deepseek_v3_word(std::string_view text, size_t at);

// A splitting step that makes every match of `match` a word, and every stretch between two matches.
template <Match match>
void isolate(std::string_view text, size_t offset, Ends& ends) {
    size_t gap = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t end = match(text, at);
        if (end == at) {
            at += character_at(text, at).length;
            continue;
        }
        if (gap != at) ends.push_back(offset + at);
        ends.push_back(offset + end);
        gap = at = end;
    }
    if (gap != text.size()) ends.push_back(offset + text.size());
}

// Digits in groups of three from the right, for steps of their own. Runs are those of `digits`;
// with `at_boundary` a run followed by a word character is left alone; the last group ends a word
// only if `isolated`.
struct DigitGroups {
    Set digits;
    bool at_boundary;
    bool isolated;
};
void group_digits(std::string_view text, size_t offset, const DigitGroups& groups, Ends& ends);

}  // namespace ingle::pre
