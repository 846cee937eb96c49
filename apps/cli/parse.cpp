#include "cli/parse.h"

#include <algorithm>
#include <cstdlib>

#include "cli/options/common.h"

namespace ingle::cli {

namespace {

std::string environment_name(const Option& option) {
    if (!option.environment.empty()) return option.environment;
    std::string name = option.name;
    std::ranges::transform(name, name.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
    return name;
}

// LLAMA_ARG_NO_X, set to anything, is false for a bool that has a negation.
bool can_be_negated(const Option& option) {
    return std::ranges::any_of(spellings_of(option), &Spelling::negated);
}

Status read_environment(const Option& option, const Environment& environment,
                        OptionValues& values) {
    const std::string name = environment_name(option);
    for (const std::string prefix : {"INGLE_", "LLAMA_ARG_"}) {
        if (can_be_negated(option) && environment(prefix + "NO_" + name))
            return values.set(option.name, false);
        if (const auto text = environment(prefix + name))
            return values.set_text(option.name, *text).in(prefix + name);
    }
    return {};
}

}  // namespace

std::optional<std::string> process_environment(const std::string& name) {
    const char* const value = std::getenv(name.c_str());
    if (value == nullptr) return std::nullopt;
    return value;
}

std::vector<Option> options_of(const Verb& verb) {
    std::vector<Option> options = verb.options();
    for (Option& option : common_options()) options.push_back(std::move(option));
    return options;
}

Result<Invocation> parse(const Verb& verb, std::span<const std::string> words,
                         const Environment& environment) {
    Invocation invocation{.values = OptionValues(options_of(verb)), .arguments = {}};
    INGLE_ASSIGN(Rewritten rewritten, rewrite(invocation.values.options(), words));
    INGLE_TRY(assign(rewritten.flags, invocation.values));
    invocation.help = invocation.values.flag("help");
    if (invocation.help) return invocation;

    invocation.arguments = std::move(rewritten.arguments);
    if (verb.arguments.empty() && !invocation.arguments.empty())
        return fail(Code::invalid_argument, "unexpected word ", quoted(invocation.arguments[0]),
                    "; ", verb.name, " takes flags only");
    for (const Option& option : invocation.values.options())
        if (!invocation.values.given(option.name))
            INGLE_TRY(read_environment(option, environment, invocation.values));
    return invocation;
}

}  // namespace ingle::cli
