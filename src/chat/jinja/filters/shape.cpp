// Filters that change text: case, white space, width.
#include <algorithm>

#include "chat/jinja/format.h"
#include "chat/jinja/function.h"
#include "chat/jinja/iterate.h"
#include "chat/jinja/print.h"
#include "chat/jinja/runtime.h"
#include "chat/jinja/text_functions.h"
#include "chat/jinja/wrap.h"

namespace ingle::jinja::filters {

namespace {

Result<Value> finished(TextBuilder& out, bool markup = false) {
    INGLE_ASSIGN(TextPtr made, out.finish(markup));
    return Value(std::move(made));
}

template <Case wanted>
Result<Value> in_case(Call& call) {
    INGLE_ASSIGN(const TextPtr text, to_text(call.runtime, call.self));
    return cased(call.runtime, *text, wanted);
}

Result<Value> capitalize(Call& call) {
    INGLE_ASSIGN(const TextPtr text, to_text(call.runtime, call.self));
    return capitalized(call.runtime, *text);
}

// Unlike str.title(), words start only after blanks, hyphens and opening brackets.
Result<Value> title(Call& call) {
    static constexpr std::string_view openers = "-({[<";
    INGLE_ASSIGN(const TextPtr text, to_text(call.runtime, call.self));
    TextBuilder out(call.runtime.meter());
    Characters at(*text);
    Range rest;  // of the current word, after its first letter
    const auto close = [&](size_t next) -> Status {
        INGLE_ASSIGN(const Value part, sub_text(call.runtime, *text, rest.begin, rest.end));
        INGLE_ASSIGN(const Value lower, cased(call.runtime, *part.text(), Case::lower));
        out.append(*lower.text());
        rest = {next, next};
        return Status();
    };
    bool starts = true;
    while (at.next()) {
        const bool separator =
            is_space(at.point()) || openers.find(at.bytes()) != std::string_view::npos;
        if (separator || starts) {
            INGLE_TRY(close(at.end()));
            std::string mapped;
            append_cased(mapped, at.point(), Case::upper);
            out.append(mapped, at.untrusted());
        } else {
            rest.end = at.end();
        }
        starts = separator;
    }
    INGLE_TRY(close(0));
    return finished(out);
}

Result<Value> string(Call& call) {
    INGLE_ASSIGN(TextPtr text, to_text(call.runtime, call.self));
    return Value(std::move(text));
}

Result<Value> trim(Call& call) {
    INGLE_ASSIGN(const TextPtr text, to_text(call.runtime, call.self));
    if (!call.given(0) || call[0].is_none())
        return stripped(call.runtime, *text, nullptr, true, true);
    INGLE_ASSIGN(const TextPtr unwanted, call.text(0));
    return stripped(call.runtime, *text, unwanted.get(), true, true);
}

Result<Value> replace(Call& call) {
    INGLE_ASSIGN(const TextPtr text, to_text(call.runtime, call.self));
    INGLE_ASSIGN(const TextPtr old_part, to_text(call.runtime, call[0]));
    INGLE_ASSIGN(const TextPtr new_part, to_text(call.runtime, call[1]));
    const bool all = !call.given(2) || call[2].is_none();
    INGLE_ASSIGN(const int64_t count, all ? Result<int64_t>(-1) : call.integer(2));
    return replaced(call.runtime, *text, *old_part, *new_part, count);
}

Result<Value> center(Call& call) {
    INGLE_ASSIGN(const TextPtr text, to_text(call.runtime, call.self));
    INGLE_ASSIGN(const int64_t width, call.integer(0, 80));
    return padded(call.runtime, *text, width, Text(" "), true, true);
}

Result<Value> indent(Call& call) {
    const Text* text = call.self.text();
    if (!text) {
        if (call.self.is_undefined()) return undefined_error(call.self);
        return type_error(call.self, "object cannot be indented");
    }
    TextBuilder indention(call.runtime.meter());
    if (call.given(0) && call[0].text()) {
        indention.append(*call[0].text());
    } else {
        INGLE_ASSIGN(const int64_t width, call.integer(0, 4));
        indention.append_repeated(" ", uint64_t(std::max<int64_t>(width, 0)));
    }
    INGLE_ASSIGN(const TextPtr blanks, indention.finish());
    const bool first = call.flag(1, false), empty_too = call.flag(2, false);
    // The reference adds a line end before it splits, so a text that ends a line gets an empty last
    // one.
    TextBuilder ended(call.runtime.meter());
    ended.append(*text).append("\n");
    INGLE_ASSIGN(const TextPtr whole, ended.finish());
    TextBuilder out(call.runtime.meter());
    bool at_first = true;
    for (const Range& line : lines_of(*whole)) {
        if (!at_first) out.append("\n");
        const bool wanted = at_first ? first : empty_too || line.begin < line.end;
        if (wanted) out.append(*blanks);
        out.append(*whole, line.begin, line.end);
        at_first = false;
    }
    return finished(out, text->markup());
}

Result<Value> truncate(Call& call) {
    INGLE_ASSIGN(const int64_t length, call.integer(0, 255));
    const bool kill_words = call.flag(1, false);
    INGLE_ASSIGN(const TextPtr end, call.text(2, "..."));
    const bool given = call.given(3) && !call[3].is_none();
    INGLE_ASSIGN(const int64_t leeway, given ? call.integer(3) : Result<int64_t>(5));
    const int64_t kept = length - int64_t(end->length());
    if (kept < 0)
        return fail(Code::invalid_argument, "expected length >= ", end->length(), ", got ", length);
    if (leeway < 0) return fail(Code::invalid_argument, "expected leeway >= 0, got ", leeway);
    INGLE_ASSIGN(const int64_t size, length_of(call.runtime, call.self));
    if (size - leeway <= length) return call.self;
    const Text* text = call.self.text();
    if (!text) return type_error(call.self, "object cannot be truncated");
    size_t cut = text->offset_of(size_t(kept));
    if (!kill_words) {
        const size_t blank = text->bytes().substr(0, cut).rfind(' ');
        if (blank != std::string_view::npos) cut = blank;
    }
    TextBuilder out(call.runtime.meter());
    out.append(*text, 0, cut).append(*end);
    return finished(out);
}

Result<Value> wordwrap(Call& call) {
    const Text* text = call.self.text();
    if (!text) return type_error(call.self, "object cannot be wrapped");
    WrapStyle style;
    INGLE_ASSIGN(style.width, call.integer(0, 79));
    if (style.width <= 0)
        return fail(Code::invalid_argument, "invalid width ", style.width, " (must be > 0)");
    style.break_long_words = call.flag(1, true);
    style.break_on_hyphens = call.flag(3, true);
    INGLE_ASSIGN(const TextPtr separator,
                 call.given(2) && !call[2].is_none()
                     ? call.text(2)
                     : Result<TextPtr>(std::make_shared<const Text>("\n")));
    TextBuilder out(call.runtime.meter());
    bool first = true;
    for (const Range& line : lines_of(*text)) {
        if (!first) out.append(*separator);
        first = false;
        bool first_part = true;
        for (const Range& part : wrapped_lines(*text, line, style)) {
            if (!first_part) out.append(*separator);
            first_part = false;
            out.append(*text, part.begin, part.end);
        }
    }
    return finished(out);
}

Result<Value> wordcount(Call& call) {
    INGLE_ASSIGN(const TextPtr text, to_text(call.runtime, call.self));
    int64_t count = 0;
    bool inside = false;
    Characters at(*text);
    while (at.next()) {
        const bool word = at.point() == '_' || is(at.point(), CharacterClass::alpha) ||
                          is(at.point(), CharacterClass::numeric);
        count += word && !inside;
        inside = word;
    }
    return Value(count);
}

Result<Value> format(Call& call) {
    INGLE_ASSIGN(const TextPtr pattern, to_text(call.runtime, call.self));
    Arguments& arguments = call.arguments;
    if (!arguments.positional.empty() && !arguments.named.empty())
        return fail(Code::invalid_argument,
                    "can't handle positional and keyword arguments at the same time");
    if (arguments.named.empty()) {
        INGLE_ASSIGN(const Value values, call.runtime.tuple(std::move(arguments.positional)));
        return format_percent(call.runtime, *pattern, values);
    }
    Dict named;
    for (auto& [name, value] : arguments.named) named.set(Value(name), std::move(value));
    INGLE_ASSIGN(const Value values, call.runtime.dict(std::move(named)));
    return format_percent(call.runtime, *pattern, values);
}

constexpr Function functions[] = {
    {"upper", "", in_case<Case::upper>},
    {"lower", "", in_case<Case::lower>},
    {"capitalize", "", capitalize},
    {"title", "", title},
    {"string", "", string},
    {"trim", "chars?", trim},
    {"replace", "old new count?", replace},
    {"center", "width?", center},
    {"indent", "width? first? blank?", indent},
    {"truncate", "length? killwords? end? leeway?", truncate},
    {"wordwrap", "width? break_long_words? wrapstring? break_on_hyphens?", wordwrap},
    {"wordcount", "", wordcount},
    {"format", "*", format},
};

}  // namespace

namespace entries {
extern const Family shape;
const Family shape = {functions};
}  // namespace entries

}  // namespace ingle::jinja::filters
