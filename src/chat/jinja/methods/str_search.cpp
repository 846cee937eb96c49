// Methods of str that look into a text: find, count, split, and what kind of characters it has.
#include <algorithm>

#include "chat/jinja/function.h"
#include "chat/jinja/runtime.h"
#include "chat/jinja/text_functions.h"

namespace ingle::jinja::methods {

namespace {

const Text& self(const Call& call) {
    return *call.self.text();
}

// The bytes that the optional arguments start and end (at `first`, `first` + 1) choose; nothing if
// start lies beyond the end.
Result<std::optional<Range>> window(Call& call, size_t first) {
    const int64_t length = int64_t(self(call).length());
    int64_t bounds[2] = {0, length};
    for (size_t i = 0; i < 2; ++i) {
        if (!call.given(first + i) || call[first + i].is_none()) continue;
        INGLE_ASSIGN(const int64_t value, call.integer(first + i));
        bounds[i] = value < 0 ? std::max<int64_t>(value + length, 0) : value;
    }
    bounds[1] = std::min(bounds[1], length);
    if (bounds[0] > bounds[1]) return std::optional<Range>();
    return std::optional<Range>(
        Range{self(call).offset_of(size_t(bounds[0])), self(call).offset_of(size_t(bounds[1]))});
}

Result<int64_t> position(Call& call, bool from_end) {
    INGLE_ASSIGN(const TextPtr wanted, call.text(0));
    INGLE_ASSIGN(const auto range, window(call, 1));
    if (!range) return -1;
    INGLE_TRY(call.runtime.meter().touch(range->end - range->begin));
    const std::string_view bytes = self(call).bytes().substr(0, range->end);
    size_t found =
        from_end ? bytes.rfind(wanted->bytes()) : bytes.find(wanted->bytes(), range->begin);
    if (found == std::string_view::npos || found < range->begin) return -1;
    return int64_t(self(call).index_of(found));
}

template <bool from_end>
Result<Value> find(Call& call) {
    INGLE_ASSIGN(const int64_t at, position(call, from_end));
    return Value(at);
}
template <bool from_end>
Result<Value> index(Call& call) {
    INGLE_ASSIGN(const int64_t at, position(call, from_end));
    if (at < 0) return fail(Code::invalid_argument, "substring not found");
    return Value(at);
}

Result<Value> count(Call& call) {
    INGLE_ASSIGN(const TextPtr wanted, call.text(0));
    INGLE_ASSIGN(const auto range, window(call, 1));
    if (!range) return Value(0);
    INGLE_TRY(call.runtime.meter().touch(range->end - range->begin));
    if (wanted->empty())
        return Value(self(call).index_of(range->end) - self(call).index_of(range->begin) + 1);
    const std::string_view bytes = self(call).bytes().substr(0, range->end);
    int64_t found = 0;
    for (size_t at = range->begin; (at = bytes.find(wanted->bytes(), at)) != std::string_view::npos;
         ++found)
        at += wanted->bytes().size();
    return Value(found);
}

template <bool at_end>
Result<Value> starts_or_ends(Call& call) {
    INGLE_ASSIGN(const auto range, window(call, 1));
    const Sequence* several = call[0].sequence();
    const Values one = {call[0]};
    const Values& wanted = several && several->is_tuple() ? several->items : one;
    for (const Value& value : wanted) {
        if (!value.text()) {
            if (value.is_undefined()) return undefined_error(value);
            return fail(Code::invalid_argument, at_end ? "endswith" : "startswith",
                        " first arg must be str or a tuple of str, not ", type_name(value));
        }
        if (!range) continue;
        const std::string_view bytes =
            self(call).bytes().substr(range->begin, range->end - range->begin);
        const std::string_view part = value.text()->bytes();
        if (at_end ? bytes.ends_with(part) : bytes.starts_with(part)) return Value(true);
    }
    return Value(false);
}

// The texts of byte ranges.
Result<Value> parts(Call& call, const std::vector<Range>& ranges,
                    Sequence::Flavour flavour = Sequence::Flavour::list) {
    Values items;
    for (const Range& range : ranges) {
        INGLE_ASSIGN(Value part, sub_text(call.runtime, self(call), range.begin, range.end));
        items.push_back(std::move(part));
    }
    return call.runtime.list(std::move(items), flavour);
}

std::vector<Range> separated(std::string_view bytes, std::string_view separator, int64_t count,
                             bool from_end) {
    std::vector<Range> ranges;
    size_t begin = 0, end = bytes.size();
    for (; count != 0; --count) {
        const size_t found = from_end
                                 ? (end < separator.size() ? std::string_view::npos
                                                           : bytes.substr(0, end).rfind(separator))
                                 : bytes.find(separator, begin);
        if (found == std::string_view::npos) break;
        if (from_end) {
            ranges.push_back({found + separator.size(), end});
            end = found;
        } else {
            ranges.push_back({begin, found});
            begin = found + separator.size();
        }
    }
    ranges.push_back({begin, end});
    if (from_end) std::reverse(ranges.begin(), ranges.end());
    return ranges;
}

// Splitting at white space: at most `count` cuts, what is left over keeps its inner blanks.
std::vector<Range> worded(const Text& text, int64_t count, bool from_end) {
    std::vector<Range> words = words_of(text);
    if (count < 0 || int64_t(words.size()) <= count) return words;
    if (from_end) {
        const size_t left = words.size() - size_t(count);
        const Range rest{0, words[left - 1].end};
        words.erase(words.begin(), words.begin() + std::ptrdiff_t(left));
        words.insert(words.begin(), rest);
    } else {
        const Range rest{words[size_t(count)].begin, text.bytes().size()};
        words.resize(size_t(count));
        words.push_back(rest);
    }
    return words;
}

template <bool from_end>
Result<Value> split(Call& call) {
    INGLE_ASSIGN(const int64_t count, call.integer(1, -1));
    INGLE_TRY(call.runtime.meter().touch(self(call).bytes().size()));
    if (!call.given(0) || call[0].is_none())
        return parts(call, worded(self(call), count, from_end));
    INGLE_ASSIGN(const TextPtr separator, call.text(0));
    if (separator->empty()) return fail(Code::invalid_argument, "empty separator");
    return parts(call, separated(self(call).bytes(), separator->bytes(), count, from_end));
}

template <bool from_end>
Result<Value> partition(Call& call) {
    INGLE_ASSIGN(const TextPtr separator, call.text(0));
    if (separator->empty()) return fail(Code::invalid_argument, "empty separator");
    const std::string_view bytes = self(call).bytes();
    const size_t found =
        from_end ? bytes.rfind(separator->bytes()) : bytes.find(separator->bytes());
    const size_t size = bytes.size();
    std::vector<Range> ranges = {{0, found},
                                 {found, found + separator->bytes().size()},
                                 {found + separator->bytes().size(), size}};
    if (found == std::string_view::npos)
        ranges = from_end ? std::vector<Range>{{0, 0}, {0, 0}, {0, size}}
                          : std::vector<Range>{{0, size}, {size, size}, {size, size}};
    return parts(call, ranges, Sequence::Flavour::tuple);
}

Result<Value> splitlines(Call& call) {
    return parts(call, lines_of(self(call), call.flag(0, false)));
}

template <CharacterClass... classes>
Result<Value> all_are(Call& call) {
    Characters at(self(call));
    while (at.next())
        if (!(is(at.point(), classes) || ...)) return Value(false);
    return Value(!self(call).empty());
}

Result<Value> isprintable(Call& call) {
    Characters at(self(call));
    while (at.next())
        if (!is(at.point(), CharacterClass::printable)) return Value(false);
    return Value(true);
}

Result<Value> isascii(Call& call) {
    const std::string_view bytes = self(call).bytes();
    return Value(std::all_of(bytes.begin(), bytes.end(), [](char c) { return uint8_t(c) < 0x80; }));
}

Result<Value> isidentifier(Call& call) {
    Characters at(self(call));
    while (at.next()) {
        const bool digit = is(at.point(), CharacterClass::decimal) && at.begin() > 0;
        if (at.point() != '_' && !digit && !is(at.point(), CharacterClass::alpha))
            return Value(false);
    }
    return Value(!self(call).empty());
}

// Some letter has this case, none has another.
template <CharacterClass wanted>
Result<Value> all_cased(Call& call) {
    bool any = false;
    Characters at(self(call));
    while (at.next()) {
        if (is(at.point(), wanted)) {
            any = true;
        } else if (is(at.point(), CharacterClass::cased)) {
            return Value(false);
        }
    }
    return Value(any);
}

Result<Value> istitle(Call& call) {
    bool inside = false, any = false;
    Characters at(self(call));
    while (at.next()) {
        const bool capital =
            is(at.point(), CharacterClass::upper) || is(at.point(), CharacterClass::title);
        if (capital ? inside : is(at.point(), CharacterClass::lower) && !inside)
            return Value(false);
        inside = is(at.point(), CharacterClass::cased);
        any = any || inside;
    }
    return Value(any);
}

constexpr Function functions[] = {
    {"find", "sub start? end?", find<false>},
    {"rfind", "sub start? end?", find<true>},
    {"index", "sub start? end?", index<false>},
    {"rindex", "sub start? end?", index<true>},
    {"count", "sub start? end?", count},
    {"startswith", "prefix start? end?", starts_or_ends<false>},
    {"endswith", "suffix start? end?", starts_or_ends<true>},
    {"split", "sep? maxsplit?", split<false>},
    {"rsplit", "sep? maxsplit?", split<true>},
    {"partition", "sep", partition<false>},
    {"rpartition", "sep", partition<true>},
    {"splitlines", "keepends?", splitlines},
    {"isalpha", "", all_are<CharacterClass::alpha>},
    {"isdecimal", "", all_are<CharacterClass::decimal>},
    {"isdigit", "", all_are<CharacterClass::digit>},
    {"isnumeric", "", all_are<CharacterClass::numeric>},
    {"isalnum", "",
     all_are<CharacterClass::alpha, CharacterClass::decimal, CharacterClass::digit,
             CharacterClass::numeric>},
    {"isspace", "", all_are<CharacterClass::space>},
    {"isprintable", "", isprintable},
    {"isascii", "", isascii},
    {"isidentifier", "", isidentifier},
    {"islower", "", all_cased<CharacterClass::lower>},
    {"isupper", "", all_cased<CharacterClass::upper>},
    {"istitle", "", istitle},
};

}  // namespace

namespace entries {
extern const Family str_search;
const Family str_search = {functions, "str"};
}  // namespace entries

}  // namespace ingle::jinja::methods
