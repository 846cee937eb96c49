// One declaration per setting. The command-line flag, the environment variable, the JSON field, the help
// text and the documentation are all read from it; values are checked against it in one place.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/status.h"

namespace ingle {

using OptionValue = std::variant<bool, int64_t, double, std::string, std::vector<std::string>>;

struct Option {
    // The JSON field, e.g. "top_k". Environment: INGLE_TOP_K and LLAMA_ARG_TOP_K (see `environment`).
    std::string name;
    // Every spelling, comma-separated, the usual one first: "--top-k" or "-c,--ctx-size".
    // A bool may name its negation after '!': "--jinja,!--no-jinja".
    std::string flags;
    std::string placeholder;  // "N", "FILE", "TEXT"; empty for a bool
    OptionValue default_value;
    std::string help;
    double min = -std::numeric_limits<double>::infinity();  // numbers only, inclusive
    double max = std::numeric_limits<double>::infinity();
    std::vector<std::string> choices = {};  // if not empty, the only values allowed
    std::string environment = {};           // the part after LLAMA_ARG_ / INGLE_ when not NAME
    std::string group = {};                 // heading in --help
    std::string implied = {};  // the value when the flag is not followed by one of `choices` or, without any, by a path
};

// Values for a list of declared options. Every value starts at its default.
class OptionValues {
  public:
    OptionValues() = default;
    explicit OptionValues(std::vector<Option> options);

    const std::vector<Option>& options() const { return options_; }
    const Option* find(std::string_view name) const;

    // Sets from text, as from a flag or an environment variable. Lists append. Errors name the option,
    // what was expected and what was found.
    Status set_text(std::string_view name, std::string_view text);
    Status set(std::string_view name, OptionValue value);
    // True once a value was set, even to its default.
    bool given(std::string_view name) const;

    // The value; the option must be declared with that type (asserted).
    bool flag(std::string_view name) const;
    int64_t integer(std::string_view name) const;
    double real(std::string_view name) const;
    const std::string& text(std::string_view name) const;
    const std::vector<std::string>& list(std::string_view name) const;

  private:
    struct Slot {
        OptionValue value;
        bool given = false;
    };
    const Slot& slot(std::string_view name) const;

    std::vector<Option> options_;
    std::map<std::string, Slot, std::less<>> slots_;
};

}  // namespace ingle
