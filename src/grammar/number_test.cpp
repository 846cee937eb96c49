#include "grammar/number_test.h"

#include <algorithm>

namespace ingle::grammar {

namespace {

// Digits of the whole part are compared as if both had equal length; the end of the part decides.
int8_t order_at_end_of_whole(const NumberTest& test, const NumberState& state) {
    return state.position < test.bound.whole.size() ? int8_t(-1) : state.order;
}

int sign_of_difference(const NumberTest& test, const NumberState& state) {
    int8_t order = state.order;
    if (state.phase == NumberState::Phase::whole) {
        order = order_at_end_of_whole(test, state);
        if (order == 0 && !test.bound.fraction.empty()) order = -1;
    } else if (order == 0 && state.position < test.bound.fraction.size()) {
        order = -1;
    }
    const Decimal& bound = test.bound;
    if (!state.nonzero) return bound.is_zero() ? 0 : bound.negative ? 1 : -1;
    if (!state.negative) return bound.negative || bound.is_zero() ? 1 : order;
    return bound.negative ? -order : -1;
}

void compare_digit(const NumberTest& test, NumberState& state, int digit) {
    const bool whole = state.phase == NumberState::Phase::whole;
    const std::string& digits = whole ? test.bound.whole : test.bound.fraction;
    if (state.position < digits.size()) {
        const int theirs = digits[state.position++] - '0';
        if (state.order == 0 && digit != theirs) state.order = digit < theirs ? -1 : 1;
    } else if (whole) {
        state.position = uint32_t(digits.size() + 1);
        state.order = 1;
    } else if (state.order == 0 && digit != 0) {
        state.order = 1;
    }
}

bool take_digit(const NumberTest& test, NumberState& state, int digit) {
    state.nonzero = state.nonzero || digit != 0;
    if (test.kind != NumberTest::Kind::multiple) {
        compare_digit(test, state, digit);
        return true;
    }
    if (state.phase == NumberState::Phase::fraction) {
        if (state.position == test.scale) return digit == 0;
        ++state.position;
    }
    state.remainder = (state.remainder * 10 + uint64_t(digit)) % test.divisor;
    return true;
}

}  // namespace

Result<Decimal> Decimal::parse(std::string_view text) {
    constexpr int64_t digits_max = 1000;
    Decimal out;
    std::string_view rest = text;
    if (rest.starts_with('-')) out.negative = true, rest.remove_prefix(1);
    int64_t exponent = 0;
    if (const size_t e = rest.find_first_of("eE"); e != rest.npos) {
        std::string_view power = rest.substr(e + 1);
        if (power.starts_with('+')) power.remove_prefix(1);
        const auto value = parse_int(power);
        if (!value || *value > digits_max || *value < -digits_max)
            return fail(Code::limit, "the exponent of ", quoted(text), " is beyond ", digits_max);
        exponent = *value;
        rest = rest.substr(0, e);
    }
    const size_t point = std::min(rest.find('.'), rest.size());
    std::string digits(rest.substr(0, point));
    int64_t places = int64_t(digits.size()) + exponent;  // digits before the point
    if (point < rest.size()) digits += rest.substr(point + 1);
    if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos)
        return fail(Code::invalid_argument, "expected a number, found ", quoted(text));
    if (places < 0) digits.insert(0, size_t(-places), '0'), places = 0;
    if (places > int64_t(digits.size())) digits.append(size_t(places) - digits.size(), '0');
    if (int64_t(digits.size()) > 4 * digits_max)
        return fail(Code::limit, "a number of ", digits.size(), " digits");
    out.whole = digits.substr(0, size_t(places));
    out.fraction = digits.substr(size_t(places));
    out.whole.erase(0, std::min(out.whole.find_first_not_of('0'), out.whole.size()));
    if (out.whole.empty()) out.whole.push_back('0');
    out.fraction.erase(out.fraction.find_last_not_of('0') + 1);
    if (out.is_zero()) out.negative = false;
    return out;
}

std::string Decimal::text() const {
    return cat(negative ? "-" : "", whole, fraction.empty() ? "" : ".", fraction);
}

Result<NumberTest> NumberTest::multiple_of(const Decimal& divisor) {
    NumberTest test;
    test.kind = Kind::multiple;
    if (divisor.negative || divisor.is_zero())
        return fail(Code::invalid_argument, "expected a number above 0, found ", divisor.text());
    std::string digits = divisor.whole + divisor.fraction;
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    if (digits.size() > 17)
        return fail(Code::unsupported, "divisors of more than 17 digits, as ", divisor.text(),
                    ", are not supported");
    test.divisor = uint64_t(*parse_int(digits));
    test.scale = uint32_t(divisor.fraction.size());
    return test;
}

std::optional<NumberState> advance(const NumberTest& test, NumberState state, uint8_t byte) {
    using Phase = NumberState::Phase;
    if (byte == '-') {
        if (state.phase != Phase::start || state.negative) return std::nullopt;
        state.negative = true;
        return state;
    }
    if (byte == '.') {
        if (state.phase != Phase::whole) return std::nullopt;
        if (test.kind != NumberTest::Kind::multiple)
            state.order = order_at_end_of_whole(test, state);
        state.phase = Phase::fraction;
        state.position = 0;
        return state;
    }
    if (byte < '0' || byte > '9') return std::nullopt;
    if (state.phase == Phase::start) state.phase = Phase::whole;
    if (!take_digit(test, state, byte - '0')) return std::nullopt;
    return state;
}

bool passes(const NumberTest& test, const NumberState& state) {
    if (state.phase == NumberState::Phase::start) return false;
    if (test.kind == NumberTest::Kind::less) return sign_of_difference(test, state) < 0;
    if (test.kind == NumberTest::Kind::less_equal) return sign_of_difference(test, state) <= 0;
    const uint32_t taken = state.phase == NumberState::Phase::fraction ? state.position : 0;
    // The places not written are zeros: shifting by them changes the remainder alone.
    uint64_t remainder = state.remainder;
    for (uint32_t place = taken; place < test.scale; ++place)
        remainder = remainder * 10 % test.divisor;
    return remainder == 0;
}

}  // namespace ingle::grammar
