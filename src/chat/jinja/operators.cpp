#include "chat/jinja/operators.h"

#include <algorithm>
#include <cmath>

#include "chat/jinja/format.h"
#include "chat/jinja/print.h"
#include "chat/jinja/runtime.h"

namespace ingle::jinja {

namespace {

Status unsupported(const Value& a, const Value& b, std::string_view sign) {
    if (a.is_undefined()) return undefined_error(a);
    if (b.is_undefined()) return undefined_error(b);
    return fail(Code::invalid_argument, "unsupported operand type(s) for ", sign, ": '",
                type_name(a), "' and '", type_name(b), "'");
}

Status too_large(std::string_view sign) {
    return fail(Code::limit, "the result of ", sign, " does not fit in 64 bits");
}

Status division_by_zero(const Value& a, const Value& b, std::string_view whole) {
    const bool real = a.as<double>() || b.as<double>();
    return fail(Code::invalid_argument, real ? "float " : "",
                real || whole.empty() ? "division by zero" : whole);
}

Result<Value> add_texts(Runtime& runtime, const Value& a, const Value& b) {
    const bool markup = a.text()->markup() || b.text()->markup();
    TextBuilder out(runtime.meter());
    for (const Value* part : {&a, &b}) {
        if (!markup) {
            out.append(*part->text());
            continue;
        }
        INGLE_ASSIGN(const TextPtr escaped, escape_html(runtime, *part));
        out.append(*escaped);
    }
    INGLE_ASSIGN(TextPtr text, out.finish(markup));
    return Value(std::move(text));
}

Result<Value> add_sequences(Runtime& runtime, const Sequence& a, const Sequence& b) {
    if ((a.items.size() + b.items.size()) * sizeof(Value) > runtime.meter().room())
        return runtime.meter().out_of_memory();
    INGLE_TRY(runtime.meter().touch(0, a.items.size() + b.items.size()));
    Values items = a.items;
    items.insert(items.end(), b.items.begin(), b.items.end());
    return runtime.list(std::move(items),
                        a.is_list() ? Sequence::Flavour::list : Sequence::Flavour::tuple);
}

Result<Value> repeat(Runtime& runtime, const Value& value, int64_t count) {
    const uint64_t times = uint64_t(std::max<int64_t>(count, 0));
    if (const Text* text = value.text()) {
        TextBuilder out(runtime.meter());
        out.append_repeated(*text, times);
        INGLE_ASSIGN(TextPtr made, out.finish(text->markup()));
        return Value(std::move(made));
    }
    const Sequence& sequence = *value.sequence();
    const uint64_t size = sequence.items.size() * sizeof(Value);
    if (size > 0 && times > runtime.meter().room() / size) return runtime.meter().out_of_memory();
    INGLE_TRY(runtime.meter().touch(0, sequence.items.size() * times));
    Values items;
    for (uint64_t i = 0; size > 0 && i < times; ++i)
        items.insert(items.end(), sequence.items.begin(), sequence.items.end());
    return runtime.list(std::move(items), sequence.flavour);
}

bool repeatable(const Value& value) {
    const Sequence* sequence = value.sequence();
    return value.text() || (sequence && (sequence->is_list() || sequence->is_tuple()));
}

double floor_modulo(double a, double b) {
    double rest = std::fmod(a, b);
    if (rest != 0) {
        if ((b < 0) != (rest < 0)) rest += b;
    } else {
        rest = std::copysign(0.0, b);
    }
    return rest;
}

// Python's float floor division: consistent with the remainder, then rounded to a whole number.
double floor_quotient(double a, double b) {
    const double quotient = (a - floor_modulo(a, b)) / b;
    if (quotient == 0) return std::copysign(0.0, a / b);
    const double floored = std::floor(quotient);
    return quotient - floored > 0.5 ? floored + 1 : floored;
}

Result<Value> whole_power(int64_t base, int64_t exponent) {
    int64_t result = 1;
    while (exponent > 0) {
        if ((exponent & 1) && __builtin_mul_overflow(result, base, &result)) return too_large("**");
        exponent >>= 1;
        if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) return too_large("**");
    }
    return Value(result);
}

Result<Value> subtract_from_zero(int64_t value) {
    if (value == std::numeric_limits<int64_t>::min()) return too_large("-");
    return Value(-value);
}

Result<Value> pick_characters(Runtime& runtime, const Text& text,
                              const std::vector<size_t>& chosen) {
    std::vector<size_t> offsets;
    if (!text.single_bytes())
        for (size_t at = 0; at < text.bytes().size(); at += character_bytes(text.bytes()[at]))
            offsets.push_back(at);
    TextBuilder out(runtime.meter());
    for (const size_t i : chosen) {
        const size_t begin = offsets.empty() ? i : offsets[i];
        out.append(text, begin, begin + character_bytes(text.bytes()[begin]));
    }
    INGLE_ASSIGN(TextPtr made, out.finish(text.markup()));
    return Value(std::move(made));
}

// A slice of a range is a range over the same numbers.
Result<Value> slice_of_range(Runtime& runtime, const Sequence& source, Values items,
                             const std::array<int64_t, 3>& bounds) {
    const auto [start, stop, step] = source.range;
    INGLE_ASSIGN(const Value made, runtime.list(std::move(items), Sequence::Flavour::range));
    auto range = std::make_shared<Sequence>();
    range->flavour = Sequence::Flavour::range;
    range->items = made.sequence()->items;
    range->range = {start + bounds[0] * step, start + bounds[1] * step, step * bounds[2]};
    return Value(SequencePtr(std::move(range)));
}

Result<Value> bound_of(const Value& value) {
    if (value.is_none()) return Value();
    if (const auto whole = value.integer()) return Value(*whole);
    return fail(Code::invalid_argument,
                "slice indices must be integers or None or have an __index__ method");
}

}  // namespace

Result<Value> add(Runtime& runtime, const Value& a, const Value& b) {
    const auto x = a.integer(), y = b.integer();
    if (x && y) {
        int64_t sum = 0;
        if (__builtin_add_overflow(*x, *y, &sum)) return too_large("+");
        return Value(sum);
    }
    if (a.number() && b.number()) return Value(*a.number() + *b.number());
    if (a.text() && b.text()) return add_texts(runtime, a, b);
    const Sequence *left = a.sequence(), *right = b.sequence();
    if (left && right &&
        ((left->is_list() && right->is_list()) || (left->is_tuple() && right->is_tuple())))
        return add_sequences(runtime, *left, *right);
    if (a.is_undefined() || b.is_undefined()) return unsupported(a, b, "+");
    const bool joins = a.text() || (left && (left->is_list() || left->is_tuple()));
    if (joins)
        return fail(Code::invalid_argument, "can only concatenate ", type_name(a), " (not \"",
                    type_name(b), "\") to ", type_name(a));
    return unsupported(a, b, "+");
}

Result<Value> subtract(Runtime&, const Value& a, const Value& b) {
    const auto x = a.integer(), y = b.integer();
    if (x && y) {
        int64_t difference = 0;
        if (__builtin_sub_overflow(*x, *y, &difference)) return too_large("-");
        return Value(difference);
    }
    if (a.number() && b.number()) return Value(*a.number() - *b.number());
    return unsupported(a, b, "-");
}

Result<Value> multiply(Runtime& runtime, const Value& a, const Value& b) {
    const auto x = a.integer(), y = b.integer();
    if (x && y) {
        int64_t product = 0;
        if (__builtin_mul_overflow(*x, *y, &product)) return too_large("*");
        return Value(product);
    }
    if (a.number() && b.number()) return Value(*a.number() * *b.number());
    if (repeatable(a) && y) return repeat(runtime, a, *y);
    if (repeatable(b) && x) return repeat(runtime, b, *x);
    if ((repeatable(a) && !b.is_undefined()) || (repeatable(b) && !a.is_undefined()))
        return fail(Code::invalid_argument, "can't multiply sequence by non-int of type '",
                    type_name(repeatable(a) ? b : a), "'");
    return unsupported(a, b, "*");
}

Result<Value> divide(Runtime&, const Value& a, const Value& b) {
    if (!a.number() || !b.number()) return unsupported(a, b, "/");
    if (*b.number() == 0) return division_by_zero(a, b, "");
    return Value(*a.number() / *b.number());
}

Result<Value> floor_divide(Runtime&, const Value& a, const Value& b) {
    if (!a.number() || !b.number()) return unsupported(a, b, "//");
    if (*b.number() == 0)
        return a.integer() && b.integer()
                   ? division_by_zero(a, b, "integer division or modulo by zero")
                   : fail(Code::invalid_argument, "float floor division by zero");
    const auto x = a.integer(), y = b.integer();
    if (!x || !y) return Value(floor_quotient(*a.number(), *b.number()));
    if (*y == -1) return subtract_from_zero(*x);
    const int64_t quotient = *x / *y;
    return Value(quotient - ((*x % *y != 0) && ((*x < 0) != (*y < 0))));
}

Result<Value> modulo(Runtime& runtime, const Value& a, const Value& b) {
    if (a.text()) return format_percent(runtime, *a.text(), b);
    if (!a.number() || !b.number()) return unsupported(a, b, "%");
    if (*b.number() == 0)
        return a.integer() && b.integer() ? division_by_zero(a, b, "integer modulo by zero")
                                          : fail(Code::invalid_argument, "float modulo");
    const auto x = a.integer(), y = b.integer();
    if (!x || !y) return Value(floor_modulo(*a.number(), *b.number()));
    if (*y == -1) return Value(0);
    const int64_t rest = *x % *y;
    return Value(rest != 0 && ((rest < 0) != (*y < 0)) ? rest + *y : rest);
}

Result<Value> power(Runtime&, const Value& a, const Value& b) {
    if (!a.number() || !b.number()) return unsupported(a, b, "** or pow()");
    const auto x = a.integer(), y = b.integer();
    if (x && y && *y >= 0) return whole_power(*x, *y);
    const double base = *a.number(), exponent = *b.number();
    if (base == 0 && exponent < 0)
        return fail(Code::invalid_argument, "0.0 cannot be raised to a negative power");
    if (base < 0 && std::floor(exponent) != exponent && std::isfinite(exponent))
        return fail(Code::unsupported, "a complex number as the result of **");
    const double result = std::pow(base, exponent);
    if (std::isinf(result) && std::isfinite(base) && std::isfinite(exponent))
        return fail(Code::invalid_argument, "Numerical result out of range");
    return Value(result);
}

Result<Value> negate(Runtime&, const Value& value) {
    if (const auto whole = value.integer()) return subtract_from_zero(*whole);
    if (const auto* real = value.as<double>()) return Value(-*real);
    if (value.is_undefined()) return undefined_error(value);
    return fail(Code::invalid_argument, "bad operand type for unary -: '", type_name(value), "'");
}

Result<Value> identity(Runtime&, const Value& value) {
    if (const auto whole = value.integer()) return Value(*whole);
    if (value.as<double>()) return value;
    if (value.is_undefined()) return undefined_error(value);
    return fail(Code::invalid_argument, "bad operand type for unary +: '", type_name(value), "'");
}

Result<Value> slice(Runtime& runtime, const Value& value, const Value& start, const Value& stop,
                    const Value& step) {
    const Text* text = value.text();
    const Sequence* sequence = value.sequence();
    const int64_t size = text ? int64_t(text->length()) : int64_t(sequence->items.size());
    INGLE_ASSIGN(const Value first, bound_of(start));
    INGLE_ASSIGN(const Value last, bound_of(stop));
    INGLE_ASSIGN(const Value stride_value, bound_of(step));
    const int64_t stride =
        std::max(stride_value.integer().value_or(1), -std::numeric_limits<int64_t>::max());
    if (stride == 0) return fail(Code::invalid_argument, "slice step cannot be zero");
    const int64_t low = stride < 0 ? -1 : 0, high = stride < 0 ? size - 1 : size;
    const auto clamp = [&](const Value& bound, int64_t otherwise) {
        if (bound.is_none()) return otherwise;
        const int64_t index = *bound.integer();
        return std::clamp(index < 0 ? std::max(index, -size - 1) + size : index, low, high);
    };
    const int64_t begin = clamp(first, stride < 0 ? high : low);
    const int64_t end = clamp(last, stride < 0 ? low : high);
    if (text && stride == 1) {
        TextBuilder out(runtime.meter());
        if (begin < end)
            out.append(*text, text->offset_of(size_t(begin)), text->offset_of(size_t(end)));
        INGLE_ASSIGN(TextPtr made, out.finish(text->markup()));
        return Value(std::move(made));
    }
    std::vector<size_t> chosen;
    for (int64_t i = begin; stride > 0 ? i < end : i > end;) {
        chosen.push_back(size_t(i));
        if (__builtin_add_overflow(i, stride, &i)) break;
    }
    INGLE_TRY(runtime.meter().touch(text ? text->bytes().size() : 0, chosen.size()));
    if (text) return pick_characters(runtime, *text, chosen);
    Values items;
    for (const size_t i : chosen) items.push_back(sequence->items[i]);
    if (sequence->flavour != Sequence::Flavour::range)
        return runtime.list(std::move(items), sequence->flavour);
    return slice_of_range(runtime, *sequence, std::move(items), {begin, end, stride});
}

Result<TextPtr> escape_html(Runtime& runtime, const Value& value) {
    INGLE_ASSIGN(const TextPtr text, to_text(runtime, value));
    if (text->markup()) return text;
    static constexpr std::string_view special = "&<>'\"";
    static constexpr std::string_view names[] = {"&amp;", "&lt;", "&gt;", "&#39;", "&#34;"};
    TextBuilder out(runtime.meter());
    Characters characters(*text);
    while (characters.next()) {
        const size_t at = special.find(characters.bytes());
        out.append(at == std::string_view::npos ? characters.bytes() : names[at],
                   characters.untrusted());
    }
    return out.finish(true);
}

}  // namespace ingle::jinja
