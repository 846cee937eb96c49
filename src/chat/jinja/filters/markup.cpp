// Filters for HTML and URLs.
#include <algorithm>

#include "chat/jinja/function.h"
#include "chat/jinja/iterate.h"
#include "chat/jinja/operators.h"
#include "chat/jinja/print.h"
#include "chat/jinja/runtime.h"
#include "chat/jinja/text_functions.h"

namespace ingle::jinja::filters {

namespace {

// The same text, marked as markup or not.
Result<Value> marked(Call& call, const Text& text, bool markup) {
    TextBuilder out(call.runtime.meter());
    out.append(text);
    INGLE_ASSIGN(TextPtr made, out.finish(markup));
    return Value(std::move(made));
}

Result<Value> escape(Call& call) {
    INGLE_ASSIGN(TextPtr escaped, escape_html(call.runtime, call.self));
    return Value(std::move(escaped));
}

Result<Value> forceescape(Call& call) {
    INGLE_ASSIGN(const TextPtr text, to_text(call.runtime, call.self));
    INGLE_ASSIGN(const Value plain, marked(call, *text, false));
    INGLE_ASSIGN(TextPtr escaped, escape_html(call.runtime, plain));
    return Value(std::move(escaped));
}

Result<Value> safe(Call& call) {
    INGLE_ASSIGN(const TextPtr text, to_text(call.runtime, call.self));
    return marked(call, *text, true);
}

// Percent-encodes all but letters, digits, "_.-~" and what `kept` adds.
void append_quoted(TextBuilder& out, const Text& text, std::string_view kept, bool plus) {
    static constexpr std::string_view plain = "_.-~";
    static constexpr std::string_view digits = "0123456789ABCDEF";
    Characters at(text);
    while (at.next()) {
        for (const char c : at.bytes()) {
            const bool word =
                (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            const auto byte = static_cast<unsigned char>(c);
            if (word || plain.find(c) != std::string_view::npos ||
                kept.find(c) != std::string_view::npos) {
                out.append(std::string_view(&c, 1), at.untrusted());
            } else if (c == ' ' && plus) {
                out.append("+", at.untrusted());
            } else {
                const char code[] = {'%', digits[byte >> 4], digits[byte & 15]};
                out.append(std::string_view(code, 3), at.untrusted());
            }
        }
    }
}

Result<Value> urlencode(Call& call) {
    TextBuilder out(call.runtime.meter());
    const Sequence* sequence = call.self.sequence();
    if (!sequence && !call.self.dict() && !call.self.as<GeneratorPtr>() &&
        !call.self.is_undefined()) {
        INGLE_ASSIGN(const TextPtr text, to_text(call.runtime, call.self));
        append_quoted(out, *text, "/", false);
    } else {
        Value pairs = call.self;
        if (call.self.dict()) {
            INGLE_ASSIGN(pairs, call.runtime.filter("items", call.self, {}));
        }
        INGLE_ASSIGN(const SequencePtr all, all_items(call.runtime, pairs));
        for (size_t i = 0; i < all->items.size(); ++i) {
            INGLE_ASSIGN(const SequencePtr pair, all_items(call.runtime, all->items[i]));
            if (pair->items.size() != 2)
                return fail(Code::invalid_argument, "urlencode needs pairs of a name and a value");
            INGLE_ASSIGN(const TextPtr name, to_text(call.runtime, pair->items[0]));
            INGLE_ASSIGN(const TextPtr value, to_text(call.runtime, pair->items[1]));
            if (i > 0) out.append("&");
            append_quoted(out, *name, "", true);
            out.append("=");
            append_quoted(out, *value, "", true);
        }
    }
    INGLE_ASSIGN(TextPtr made, out.finish());
    return Value(std::move(made));
}

Result<Value> xmlattr(Call& call) {
    if (!call.self.dict()) return type_error(call.self, "object has no attributes to write");
    TextBuilder out(call.runtime.meter());
    bool first = !call.flag(0, true);
    for (const auto& entry : call.self.dict()->entries()) {
        if (entry.value.is_none() || entry.value.is_undefined()) continue;
        INGLE_ASSIGN(const TextPtr name, escape_html(call.runtime, entry.key));
        if (name->bytes().find_first_of(" \t\n\r\f\v/>=") != std::string_view::npos)
            return fail(Code::invalid_argument,
                        "Invalid character in attribute name: ", quoted(name->bytes()));
        INGLE_ASSIGN(const TextPtr value, escape_html(call.runtime, entry.value));
        out.append(first ? "" : " ").append(*name).append("=\"").append(*value).append("\"");
        first = false;
    }
    INGLE_ASSIGN(TextPtr made, out.finish(call.runtime.autoescape));
    return Value(std::move(made));
}

// What an entity such as &amp; or &#39; stands for, and its length; 0 if it is none.
std::pair<char32_t, size_t> entity(std::string_view text) {
    static constexpr std::pair<std::string_view, char32_t> named[] = {
        {"&amp;", '&'},  {"&lt;", '<'},    {"&gt;", '>'},
        {"&quot;", '"'}, {"&apos;", '\''}, {"&nbsp;", 0xa0}};
    for (const auto& [name, point] : named)
        if (text.starts_with(name)) return {point, name.size()};
    if (!text.starts_with("&#")) return {0, 0};
    const size_t end = text.substr(0, 12).find(';');
    if (end == std::string_view::npos) return {0, 0};
    const auto point = parse_int(text.substr(2, end - 2));
    return point && *point > 0 && *point <= 0x10ffff ? std::pair{char32_t(*point), end + 1}
                                                     : std::pair{char32_t(0), size_t(0)};
}

// Without comments and tags, blanks joined, entities resolved.
Result<Value> striptags(Call& call) {
    INGLE_ASSIGN(const TextPtr text, to_text(call.runtime, call.self));
    TextBuilder bare(call.runtime.meter());
    const std::string_view bytes = text->bytes();
    for (size_t at = 0; at < bytes.size();) {
        const size_t open = std::min(bytes.find('<', at), bytes.size());
        bare.append(*text, at, open);
        const bool comment = bytes.substr(open).starts_with("<!--");
        const size_t close = comment ? bytes.find("-->", open) : bytes.find('>', open);
        if (close == std::string_view::npos) {
            bare.append(*text, open, bytes.size());
            break;
        }
        at = close + (comment ? 3 : 1);
    }
    INGLE_ASSIGN(const TextPtr without, bare.finish());
    TextBuilder out(call.runtime.meter());
    bool first = true;
    for (const Range& word : words_of(*without)) {
        if (!first) out.append(" ");
        first = false;
        for (size_t at = word.begin; at < word.end;) {
            const auto [point, size] = entity(without->bytes().substr(at, word.end - at));
            const size_t next = at + (size > 0 ? size : character_bytes(without->bytes()[at]));
            if (size > 0) {
                // The character is the text's own: it has the origin of the entity.
                const auto& ranges = without->untrusted();
                bool untrusted = false;
                for (const Range& range : ranges) untrusted |= range.begin < next && range.end > at;
                out.append_point(point, untrusted);
            } else {
                out.append(*without, at, next);
            }
            at = next;
        }
    }
    INGLE_ASSIGN(TextPtr made, out.finish());
    return Value(std::move(made));
}

constexpr Function functions[] = {
    {"escape", "", escape},           {"e", "", escape},
    {"forceescape", "", forceescape}, {"safe", "", safe},
    {"urlencode", "", urlencode},     {"xmlattr", "autospace?", xmlattr},
    {"striptags", "", striptags},
};

}  // namespace

namespace entries {
extern const Family markup;
const Family markup = {functions};
}  // namespace entries

}  // namespace ingle::jinja::filters
