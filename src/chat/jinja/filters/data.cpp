// Filters for data: JSON and defaults.
#include <algorithm>

#include "chat/jinja/function.h"
#include "chat/jinja/iterate.h"
#include "chat/jinja/print.h"
#include "chat/jinja/runtime.h"

namespace ingle::jinja::filters {

namespace {

Result<Value> otherwise(Call& call) {
    const bool replaces = call.self.is_undefined() || (call.flag(1, false) && !truthy(call.self));
    if (!replaces) return call.self;
    return call.given(0) ? call[0] : Value::text("");
}

std::optional<Text> copy_of(const Text& text) {
    return Text(std::string(text.bytes()), text.untrusted(), false, Charge());
}

// As json.dumps, without the HTML escapes of the language's own tojson.
Result<Value> tojson(Call& call) {
    JsonStyle style;
    style.ascii_only = call.flag(0, false);
    if (call.given(1) && !call[1].is_none()) {
        if (const Text* text = call[1].text()) {
            style.indent = copy_of(*text);
        } else {
            INGLE_ASSIGN(const int64_t width, call.integer(1));
            TextBuilder blanks(call.runtime.meter());
            blanks.append_repeated(" ", uint64_t(std::max<int64_t>(width, 0)));
            INGLE_ASSIGN(const TextPtr made, blanks.finish());
            style.indent = copy_of(*made);
        }
        style.item_separator = Text(",");
    }
    if (call.given(2) && !call[2].is_none()) {
        INGLE_ASSIGN(const SequencePtr pair, all_items(call.runtime, call[2]));
        if (pair->items.size() != 2 || !pair->items[0].text() || !pair->items[1].text())
            return fail(Code::invalid_argument, "separators must be two texts");
        style.item_separator = *copy_of(*pair->items[0].text());
        style.key_separator = *copy_of(*pair->items[1].text());
    }
    style.sort_keys = call.flag(3, false);
    TextBuilder out(call.runtime.meter());
    INGLE_TRY(append_json(call.runtime, out, call.self, style));
    INGLE_ASSIGN(TextPtr made, out.finish());
    return Value(std::move(made));
}

constexpr Function functions[] = {
    {"default", "default_value? boolean?", otherwise},
    {"d", "default_value? boolean?", otherwise},
    {"tojson", "ensure_ascii? indent? separators? sort_keys?", tojson},
};

}  // namespace

namespace entries {
extern const Family data;
const Family data = {functions};
}  // namespace entries

}  // namespace ingle::jinja::filters
