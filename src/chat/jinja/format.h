// Python's two ways to format: "%s and %d" % values, and "{} and {name:>8}".format(...).
#pragma once

#include "chat/jinja/value.h"

namespace ingle::jinja {

// pattern % values: a tuple gives several, a dict gives %(name)s, anything else is one value.
Result<Value> format_percent(Runtime& runtime, const Text& pattern, const Value& values);
// pattern.format(arguments)
Result<Value> format_braces(Runtime& runtime, const Text& pattern, const Arguments& arguments);
// format(value, spec)
Status append_formatted(Runtime& runtime, TextBuilder& out, const Value& value, const Text& spec);

// How a number or text is laid out; both ways share it.
struct Layout {
    char32_t fill = ' ';
    bool fill_untrusted = false;
    char align = 0;   // < > ^ =; 0: the type's own
    char sign = '-';  // - + or blank
    bool alternate = false;
    bool zero = false;
    int64_t width = 0;  // characters
    char grouping = 0;  // , or _
    int64_t precision = -1;
    char type = 0;  // 0: none given
};

// The digits of a number in the style of `layout.type` (d b o x X e E f F g G %), sign included.
Result<std::string> number_digits(const Layout& layout, const Value& number);
Status append_padded(TextBuilder& out, const Layout& layout, const Text& body, char usual_align);

// value with `precision` digits after the point, rounded half to even as printf does.
std::string fixed_text(double value, int precision);

}  // namespace ingle::jinja
