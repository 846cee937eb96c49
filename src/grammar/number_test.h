// Tests of decimal numbers, digit by digit as they are written: exact, whatever the length. Numbers
// in exponent form fail every test.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace ingle::grammar {

// -12.5 = {true, "12", "5"}; no leading or trailing zeros but the whole part "0".
struct Decimal {
    bool negative = false;
    std::string whole = "0";
    std::string fraction;

    bool operator==(const Decimal&) const = default;
    bool is_zero() const { return whole == "0" && fraction.empty(); }
    bool is_integer() const { return fraction.empty(); }
    std::string text() const;

    // A JSON number. Fails if it has more than 1000 digits written out.
    static Result<Decimal> parse(std::string_view text);
};

struct NumberTest {
    enum class Kind : uint8_t { less, less_equal, multiple };
    Kind kind = Kind::less;
    Decimal bound = {};    // less, less_equal
    uint64_t divisor = 1;  // multiple of divisor / 10^scale
    uint32_t scale = 0;

    bool operator==(const NumberTest&) const = default;
    // Fails for 0, negative numbers and more than 17 digits.
    static Result<NumberTest> multiple_of(const Decimal& divisor);
};

struct NumberState {
    enum class Phase : uint8_t { start, whole, fraction };
    Phase phase = Phase::start;
    bool negative = false;
    bool nonzero = false;
    int8_t order = 0;       // digits so far against the bound's: -1, 0, 1
    uint32_t position = 0;  // digits of this part, as far as they matter
    uint64_t remainder = 0;
};

// The state after one more byte, or nothing if the test can no longer succeed.
std::optional<NumberState> advance(const NumberTest& test, NumberState state, uint8_t byte);
// Whether the number so far passes.
bool passes(const NumberTest& test, const NumberState& state);

}  // namespace ingle::grammar
