#include "tokenizer/split.h"

#include "base/utf8.h"

namespace ingle::pre {

using namespace unicode;

Character wide_character(std::string_view text, size_t at) {
    const utf8::Decoded decoded = utf8::decode(text.substr(at));
    if (decoded.point == utf8::invalid) return {0, utf8::invalid, 1};
    return {classes(decoded.point), decoded.point, size_t(decoded.length)};
}

size_t lower_contraction(std::string_view text, size_t at) {
    if (!is_at(text, at, '\'')) return at;
    const std::string_view rest = text.substr(at + 1, 2);
    if (rest.starts_with("re") || rest.starts_with("ve") || rest.starts_with("ll")) return at + 3;
    return !rest.empty() && std::string_view("stmd").find(rest[0]) != rest.npos ? at + 2 : at;
}

size_t contraction(std::string_view text, size_t at) {
    if (!is_at(text, at, '\'')) return at;
    // Ignoring case, the long s is an s.
    if (text.substr(at + 1).starts_with("\u017f")) return at + 3;
    char lower[3] = {'\'', 0, 0};
    const size_t count = std::min<size_t>(text.size() - at, 3);
    for (size_t i = 1; i < count; ++i) {
        const char c = text[at + i];
        lower[i] = c >= 'A' && c <= 'Z' ? char(c + 32) : c;
    }
    return at + lower_contraction({lower, count}, 0);
}

size_t spaced_others(std::string_view text, size_t at) {
    const size_t begin = at + is_at(text, at, ' ');
    const size_t end = skip_except(text, begin, word_classes);
    return end == begin ? at : end;
}

size_t spaced_others_and_lines(std::string_view text, size_t at) {
    const size_t end = spaced_others(text, at);
    return end == at ? at : skip_bytes(text, end, "\r\n");
}

size_t spaced_others_and_paths(std::string_view text, size_t at) {
    const size_t end = spaced_others(text, at);
    return end == at ? at : skip_bytes(text, end, "\r\n/");
}

size_t prefixed_letters(std::string_view text, size_t at) {
    if (at >= text.size()) return at;
    const Character first = character_at(text, at);
    if (letters.has(first)) return skip(text, at + first.length, letters);
    if (numbers.has(first) || first.point == '\r' || first.point == '\n') return at;
    const size_t begin = at + first.length;
    const size_t end = skip(text, begin, letters);
    return end == begin ? at : end;
}

size_t lines(std::string_view text, size_t at) {
    size_t end = at;
    for (size_t place = at; place < text.size();) {
        const Character c = character_at(text, place);
        if (!spaces.has(c)) break;
        place += c.length;
        if (c.point == '\r' || c.point == '\n') end = place;
    }
    return end;
}

size_t blanks(std::string_view text, size_t at) {
    size_t last = at, end = at;
    while (end < text.size()) {
        const Character c = character_at(text, end);
        if (!spaces.has(c)) break;
        last = end;
        end += c.length;
    }
    return end == text.size() || last == at ? end : last;
}

namespace {

// The alternatives of cased_word from the end of the optional prefix.
size_t small_word(std::string_view text, size_t at, Set capital, Set small) {
    size_t end = at, end_in_both = at;
    while (end < text.size()) {
        const Character c = character_at(text, end);
        if (!capital.has(c)) break;
        end += c.length;
        if (small.has(c)) end_in_both = end;
    }
    const size_t small_end = skip(text, end, small);
    return small_end != end ? small_end : end_in_both;
}

size_t capital_word(std::string_view text, size_t at, Set capital, Set small) {
    const size_t end = skip(text, at, capital);
    return end == at ? at : skip(text, end, small);
}

}  // namespace

size_t cased_word(std::string_view text, size_t at, uint32_t without) {
    if (at >= text.size()) return at;
    const Set capital{Lu | Lt | Lm | Lo | mark, without};
    const Set small{Ll | Lm | Lo | mark, without};
    const Character first = character_at(text, at);
    const bool may_prefix =
        (first.classes & (letter | number)) == 0 && first.point != '\r' && first.point != '\n';
    const size_t begin = may_prefix ? at + first.length : at;
    for (const auto word : {small_word, capital_word}) {
        if (const size_t end = word(text, begin, capital, small); end != begin) return end;
        if (!may_prefix) continue;
        if (const size_t end = word(text, at, capital, small); end != at) return end;
    }
    return at;
}

size_t gpt4o_word(std::string_view text, size_t at) {
    const size_t end = cased_word(text, at, 0);
    if (end != at) return contraction(text, end);
    return first_of(text, at, up_to<numbers, 3>, spaced_others_and_paths, lines, blanks);
}

size_t unbroken_word(std::string_view text, size_t at) {
    const auto unbroken = [](const Character& c) {
        constexpr std::u32string_view breaks = U"(|.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c)";
        return !spaces.has(c) && breaks.find(c.point) == breaks.npos;
    };
    const size_t begin = at + is_at(text, at, ' ');
    const size_t end = skip_while(text, begin, unbroken);
    return end == begin ? at : end;
}

size_t three_digits(std::string_view text, size_t at) {
    const auto digit = [](const Character& c) { return c.point >= '0' && c.point <= '9'; };
    const size_t end = skip_while(text, at, digit, 3);
    return end == at + 3 ? end : at;
}

size_t gpt2_word(std::string_view text, size_t at) {
    return first_of(text, at, lower_contraction, spaced<letters>, spaced<numbers>, spaced_others,
                    blanks);
}

namespace {

size_t symbol_and_latin(std::string_view text, size_t at) {
    const auto latin = [](const Character& c) {
        return (c.point >= 'A' && c.point <= 'Z') || (c.point >= 'a' && c.point <= 'z');
    };
    const Character first = character_at(text, at);
    if (first.length != 1 || !symbols_and_punctuation.has(first)) return at;
    const size_t end = skip_while(text, at + 1, latin);
    return end == at + 1 ? at : end;
}

size_t spaced_symbols_and_lines(std::string_view text, size_t at) {
    const size_t end = spaced<symbols_and_punctuation>(text, at);
    return end == at ? at : skip_bytes(text, end, "\r\n");
}

}  // namespace

size_t deepseek_v3_word(std::string_view text, size_t at) {
    return first_of(text, at, symbol_and_latin, marked_letters_after<letter | punctuation | symbol>,
                    spaced_symbols_and_lines, lines, blanks);
}

void group_digits(std::string_view text, size_t offset, const DigitGroups& groups, Ends& ends) {
    constexpr Set word_characters{letter | mark | Nd | Nl | Pc};
    size_t done = 0;
    const auto end_word = [&](size_t end) {
        if (end != done) ends.push_back(offset + end);
        done = end;
    };
    for (size_t at = 0; at < text.size();) {
        size_t count = 0, run_end = at;
        for (; run_end < text.size(); ++count) {
            const Character c = character_at(text, run_end);
            if (!groups.digits.has(c)) break;
            run_end += c.length;
        }
        const bool bounded = !groups.at_boundary || run_end == text.size() ||
                             !word_characters.has(character_at(text, run_end));
        if (count == 0 || !bounded) {
            at = count != 0 ? run_end : at + character_at(text, at).length;
            continue;
        }
        if (groups.isolated) end_word(at);
        for (; count > 0; --count) {
            if (count % 3 == 0) end_word(at);
            at += character_at(text, at).length;
        }
        if (groups.isolated) end_word(run_end);
    }
    end_word(text.size());
}

}  // namespace ingle::pre
