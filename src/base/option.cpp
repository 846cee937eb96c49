#include "base/option.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ingle {

namespace {

std::string range_of(const Option& option) {
    const bool has_min = std::isfinite(option.min);
    const bool has_max = std::isfinite(option.max);
    if (has_min && has_max) return cat(" from ", option.min, " to ", option.max);
    if (has_min) return cat(" of at least ", option.min);
    if (has_max) return cat(" of at most ", option.max);
    return "";
}

std::string title(const Option& option) {
    const std::string first = option.flags.substr(0, option.flags.find(','));
    return first.empty() ? option.name : first;
}

Status wrong(const Option& option, std::string_view expected, std::string_view found) {
    return fail(Code::invalid_argument, title(option), ": expected ", expected, range_of(option),
                ", found ", quoted(found));
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
    return out;
}

Result<OptionValue> parse(const Option& option, std::string_view text) {
    if (std::holds_alternative<bool>(option.default_value)) {
        for (const std::string_view yes : {"true", "1", "on", "enabled", "yes"})
            if (text == yes) return OptionValue(true);
        for (const std::string_view no : {"false", "0", "off", "disabled", "no"})
            if (text == no) return OptionValue(false);
        return wrong(option, "on or off", text);
    }
    if (std::holds_alternative<int64_t>(option.default_value)) {
        if (const auto value = parse_int(text)) return OptionValue(*value);
        return wrong(option, "a whole number", text);
    }
    if (std::holds_alternative<double>(option.default_value)) {
        if (const auto value = parse_real(text)) return OptionValue(*value);
        return wrong(option, "a number", text);
    }
    return OptionValue(std::string(text));
}

Status check(const Option& option, const OptionValue& value) {
    if (const auto* integer = std::get_if<int64_t>(&value)) {
        if (double(*integer) < option.min || double(*integer) > option.max)
            return wrong(option, "a whole number", cat(*integer));
    } else if (const auto* real = std::get_if<double>(&value)) {
        if (!(*real >= option.min && *real <= option.max))
            return wrong(option, "a number", cat(*real));
    } else if (const auto* text = std::get_if<std::string>(&value)) {
        if (!option.choices.empty() && std::ranges::find(option.choices, *text) == option.choices.end())
            return wrong(option, "one of " + joined(option.choices), *text);
    }
    return {};
}

}  // namespace

OptionValues::OptionValues(std::vector<Option> options) : options_(std::move(options)) {
    for (const Option& option : options_) slots_[option.name].value = option.default_value;
}

const Option* OptionValues::find(std::string_view name) const {
    const auto found = std::ranges::find(options_, name, &Option::name);
    return found == options_.end() ? nullptr : &*found;
}

Status OptionValues::set_text(std::string_view name, std::string_view text) {
    const Option* const option = find(name);
    if (option == nullptr) return fail(Code::invalid_argument, "unknown option ", quoted(name));
    if (std::holds_alternative<std::vector<std::string>>(option->default_value)) {
        Slot& slot = slots_.find(name)->second;
        if (!slot.given) slot.value = std::vector<std::string>();
        slot.given = true;
        std::get<std::vector<std::string>>(slot.value).emplace_back(text);
        return {};
    }
    INGLE_ASSIGN(OptionValue value, parse(*option, text));
    return set(name, std::move(value));
}

Status OptionValues::set(std::string_view name, OptionValue value) {
    const Option* const option = find(name);
    if (option == nullptr) return fail(Code::invalid_argument, "unknown option ", quoted(name));
    if (value.index() != option->default_value.index()) {
        const auto* const integer = std::get_if<int64_t>(&value);
        if (integer == nullptr || !std::holds_alternative<double>(option->default_value))
            return fail(Code::invalid_argument, title(*option), ": value of the wrong type");
        value = double(*integer);
    }
    INGLE_TRY(check(*option, value));
    Slot& slot = slots_.find(name)->second;
    slot.value = std::move(value);
    slot.given = true;
    return {};
}

const OptionValues::Slot& OptionValues::slot(std::string_view name) const {
    const auto found = slots_.find(name);
    assert(found != slots_.end() && "option was not declared");
    return found->second;
}

bool OptionValues::given(std::string_view name) const { return slot(name).given; }
bool OptionValues::flag(std::string_view name) const { return std::get<bool>(slot(name).value); }
int64_t OptionValues::integer(std::string_view name) const {
    return std::get<int64_t>(slot(name).value);
}
double OptionValues::real(std::string_view name) const {
    return std::get<double>(slot(name).value);
}
const std::string& OptionValues::text(std::string_view name) const {
    return std::get<std::string>(slot(name).value);
}
const std::vector<std::string>& OptionValues::list(std::string_view name) const {
    return std::get<std::vector<std::string>>(slot(name).value);
}

}  // namespace ingle
