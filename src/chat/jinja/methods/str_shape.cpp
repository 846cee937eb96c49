// Methods of str that give a changed text.
#include <algorithm>

#include "chat/jinja/compare.h"
#include "chat/jinja/format.h"
#include "chat/jinja/function.h"
#include "chat/jinja/iterate.h"
#include "chat/jinja/operators.h"
#include "chat/jinja/runtime.h"
#include "chat/jinja/text_functions.h"

namespace ingle::jinja::methods {

namespace {

const Text& self(const Call& call) {
    return *call.self.text();
}

Result<Value> upper(Call& call) {
    return cased(call.runtime, self(call), Case::upper);
}
Result<Value> lower(Call& call) {
    return cased(call.runtime, self(call), Case::lower);
}
Result<Value> casefold(Call& call) {
    return cased(call.runtime, self(call), Case::fold);
}
Result<Value> capitalize(Call& call) {
    return capitalized(call.runtime, self(call));
}
Result<Value> title(Call& call) {
    return titled(call.runtime, self(call));
}

Result<Value> swapcase(Call& call) {
    return case_swapped(call.runtime, self(call));
}

Result<Value> strip_at(Call& call, bool left, bool right) {
    if (!call.given(0) || call[0].is_none())
        return stripped(call.runtime, self(call), nullptr, left, right);
    INGLE_ASSIGN(const TextPtr unwanted, call.text(0));
    return stripped(call.runtime, self(call), unwanted.get(), left, right);
}
Result<Value> strip(Call& call) {
    return strip_at(call, true, true);
}
Result<Value> lstrip(Call& call) {
    return strip_at(call, true, false);
}
Result<Value> rstrip(Call& call) {
    return strip_at(call, false, true);
}

Result<Value> replace(Call& call) {
    INGLE_ASSIGN(const TextPtr old_part, call.text(0));
    INGLE_ASSIGN(TextPtr new_part, call.text(1));
    INGLE_ASSIGN(const int64_t count, call.integer(2, -1));
    if (self(call).markup()) {
        INGLE_ASSIGN(new_part, escape_html(call.runtime, call[1]));
    }
    return replaced(call.runtime, self(call), *old_part, *new_part, count);
}

Result<Value> pad(Call& call, bool left, bool right) {
    INGLE_ASSIGN(const int64_t width, call.integer(0));
    INGLE_ASSIGN(const TextPtr fill, call.text(1, " "));
    return padded(call.runtime, self(call), width, *fill, left, right);
}
Result<Value> center(Call& call) {
    return pad(call, true, true);
}
Result<Value> ljust(Call& call) {
    return pad(call, false, true);
}
Result<Value> rjust(Call& call) {
    return pad(call, true, false);
}

Result<Value> zfill(Call& call) {
    INGLE_ASSIGN(const int64_t width, call.integer(0));
    const Text& text = self(call);
    const std::string_view bytes = text.bytes();
    const size_t sign = !bytes.empty() && (bytes[0] == '-' || bytes[0] == '+') ? 1 : 0;
    const int64_t padding = std::max<int64_t>(width - int64_t(text.length()), 0);
    TextBuilder out(call.runtime.meter());
    out.append(text, 0, sign)
        .append_repeated("0", uint64_t(padding))
        .append(text, sign, bytes.size());
    INGLE_ASSIGN(TextPtr made, out.finish());
    return Value(std::move(made));
}

Result<Value> expandtabs(Call& call) {
    INGLE_ASSIGN(const int64_t size, call.integer(0, 8));
    TextBuilder out(call.runtime.meter());
    Characters at(self(call));
    int64_t column = 0;
    while (at.next()) {
        if (at.point() == '\t') {
            const int64_t blanks = size > 0 ? size - column % size : 0;
            out.append_repeated(" ", uint64_t(blanks));
            column += blanks;
            continue;
        }
        column = at.point() == '\n' || at.point() == '\r' ? 0 : column + 1;
        out.append(at.bytes(), at.untrusted());
    }
    INGLE_ASSIGN(TextPtr made, out.finish());
    return Value(std::move(made));
}

Result<Value> removeprefix(Call& call) {
    INGLE_ASSIGN(const TextPtr prefix, call.text(0));
    const std::string_view bytes = self(call).bytes();
    return sub_text(call.runtime, self(call),
                    bytes.starts_with(prefix->bytes()) ? prefix->bytes().size() : 0, bytes.size());
}

Result<Value> removesuffix(Call& call) {
    INGLE_ASSIGN(const TextPtr suffix, call.text(0));
    const std::string_view bytes = self(call).bytes();
    const bool ends = bytes.ends_with(suffix->bytes());
    return sub_text(call.runtime, self(call), 0,
                    bytes.size() - (ends ? suffix->bytes().size() : 0));
}

Result<Value> join(Call& call) {
    INGLE_ASSIGN(const SequencePtr items, all_items(call.runtime, call[0]));
    TextBuilder out(call.runtime.meter());
    for (size_t i = 0; i < items->items.size(); ++i) {
        const Text* text = items->items[i].text();
        if (!text)
            return fail(Code::invalid_argument, "sequence item ", i, ": expected str instance, ",
                        type_name(items->items[i]), " found");
        if (i > 0) out.append(self(call));
        if (self(call).markup()) {
            INGLE_ASSIGN(const TextPtr escaped, escape_html(call.runtime, items->items[i]));
            out.append(*escaped);
        } else {
            out.append(*text);
        }
    }
    INGLE_ASSIGN(TextPtr made, out.finish(self(call).markup()));
    return Value(std::move(made));
}

Result<Value> format(Call& call) {
    return format_braces(call.runtime, self(call), call.arguments);
}

Result<Value> format_map(Call& call) {
    if (!call[0].dict()) return fail(Code::invalid_argument, "format_map() takes a mapping");
    Arguments named;
    for (const auto& entry : call[0].dict()->entries())
        if (entry.key.text()) named.named.emplace_back(*entry.key.as<TextPtr>(), entry.value);
    return format_braces(call.runtime, self(call), named);
}

constexpr Function functions[] = {
    {"upper", "", upper},
    {"lower", "", lower},
    {"casefold", "", casefold},
    {"capitalize", "", capitalize},
    {"title", "", title},
    {"swapcase", "", swapcase},
    {"strip", "chars?", strip},
    {"lstrip", "chars?", lstrip},
    {"rstrip", "chars?", rstrip},
    {"replace", "old new count?", replace},
    {"center", "width fillchar?", center},
    {"ljust", "width fillchar?", ljust},
    {"rjust", "width fillchar?", rjust},
    {"zfill", "width", zfill},
    {"expandtabs", "tabsize?", expandtabs},
    {"removeprefix", "prefix", removeprefix},
    {"removesuffix", "suffix", removesuffix},
    {"join", "iterable", join},
    {"format", "*", format},
    {"format_map", "mapping", format_map},
};

}  // namespace

namespace entries {
extern const Family str_shape;
const Family str_shape = {functions, "str"};
}  // namespace entries

}  // namespace ingle::jinja::methods
