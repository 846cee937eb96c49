#include "sampling/recommended.h"

#include <array>
#include <cmath>

#include "sampling/options.h"

namespace ingle::sampling {

namespace {

struct Recommended {
    std::string_view key;
    std::string_view option;
};

constexpr std::array<Recommended, 12> known = {{{"sequence", "samplers"},
                                                {"top_k", "top_k"},
                                                {"top_p", "top_p"},
                                                {"min_p", "min_p"},
                                                {"xtc_probability", "xtc_probability"},
                                                {"xtc_threshold", "xtc_threshold"},
                                                {"temp", "temperature"},
                                                {"penalty_last_n", "repeat_last_n"},
                                                {"penalty_repeat", "repeat_penalty"},
                                                {"mirostat", "mirostat"},
                                                {"mirostat_tau", "mirostat_tau"},
                                                {"mirostat_eta", "mirostat_eta"}}};

// Names with ';' between them, or letters.
Result<bool> take_order(OptionValues& options, const OptionValue& value) {
    if (options.given("samplers") || options.given("sampler_seq")) return false;
    const auto* const text = std::get_if<std::string>(&value);
    if (text == nullptr)
        return fail(Code::corrupt, "general.sampling.sequence: expected a string");
    OptionValues named = options;
    INGLE_TRY(named.set_text("samplers", *text));
    OptionValues lettered = options;
    INGLE_TRY(lettered.set_text("sampler_seq", *text));
    const Result<std::vector<const SamplerKind*>> by_name = sampler_order(named);
    if (by_name.ok()) return options = named, true;
    if (sampler_order(lettered).ok()) return options = lettered, true;
    return fail(Code::corrupt, "general.sampling.sequence: ", by_name.status().message());
}

}  // namespace

Result<bool> take_recommended(OptionValues& options, std::string_view key,
                              const OptionValue& value) {
    for (const Recommended& entry : known) {
        if (entry.key != key) continue;
        if (key == "sequence") return take_order(options, value);
        if (options.given(entry.option)) return false;
        OptionValue converted = value;
        const auto* const real = std::get_if<double>(&value);
        const bool whole = real != nullptr && *real == std::floor(*real) && std::abs(*real) < 1e9;
        if (whole && std::holds_alternative<int64_t>(options.find(entry.option)->default_value))
            converted = int64_t(*real);
        INGLE_TRY(options.set(entry.option, std::move(converted)));
        return true;
    }
    return fail(Code::not_found, "general.sampling.", key, ": not a known sampling setting");
}

}  // namespace ingle::sampling
