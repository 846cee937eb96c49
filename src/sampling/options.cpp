#include "sampling/options.h"

#include <algorithm>
#include <chrono>
#include <random>

#include "base/random.h"

namespace ingle::sampling {

namespace {

std::vector<const SamplerKind*> default_order() {
    std::vector<const SamplerKind*> order;
    for (const SamplerKind* kind : sampler_kinds())
        if (kind->position > 0 && kind->role != Role::bias) order.push_back(kind);
    std::ranges::sort(order, {}, &SamplerKind::position);
    return order;
}

std::vector<Option> chain_options() {
    return {
        {.name = "seed", .flags = "-s,--seed", .placeholder = "N", .default_value = int64_t(-1),
         .help = "seed of the random numbers (-1 or 4294967295 = a new one each time)", .min = -1},
        {.name = "samplers", .flags = "--samplers", .placeholder = "NAMES",
         .default_value = default_samplers(),
         .help = "samplers in the order they are used, separated by ';'"},
        {.name = "sampler_seq", .flags = "--sampler-seq,--sampling-seq", .placeholder = "LETTERS",
         .default_value = default_sampler_sequence(),
         .help = "the same in short, one letter a sampler; --samplers wins when both are given"},
        {.name = "min_keep", .flags = "", .placeholder = "N", .default_value = int64_t(0),
         .help = "top_p, min_p, typ_p and xtc leave at least this many tokens (0 = off)", .min = 0},
        {.name = "n_probs", .flags = "", .placeholder = "N", .default_value = int64_t(0),
         .help = "report the probabilities of this many likeliest tokens (0 = off)", .min = 0},
        {.name = "post_sampling_probs", .flags = "", .placeholder = "", .default_value = false,
         .help = "report probabilities after all samplers instead of the model's own"},
    };
}

bool answers_to(const SamplerKind& kind, std::string_view word) {
    if (kind.name == word) return true;
    const auto aliases = split(kind.aliases, ',');
    return !word.empty() && std::ranges::find(aliases, word) != aliases.end();
}

Result<const SamplerKind*> by_name(std::string_view word) {
    std::vector<std::string_view> known;
    for (const SamplerKind* kind : sampler_kinds()) {
        if (kind->letter == 0) continue;
        if (answers_to(*kind, word)) return kind;
        known.push_back(kind->name);
    }
    const std::string_view near = closest(word, known);
    std::string all;
    for (const std::string_view name : known) all += cat(all.empty() ? "" : ", ", name);
    return fail(Code::invalid_argument, "samplers: unknown sampler ", quoted(word),
                near.empty() ? "" : cat(" (did you mean ", quoted(near), "?)"), "; known: ", all);
}

Result<const SamplerKind*> by_letter(char letter) {
    std::string known;
    for (const SamplerKind* kind : sampler_kinds()) {
        if (kind->letter == 0) continue;
        if (kind->letter == letter) return kind;
        known += kind->letter;
    }
    return fail(Code::invalid_argument, "sampler_seq: unknown letter ",
                quoted(std::string_view(&letter, 1)), "; known: ", known);
}

}  // namespace

std::vector<std::string> default_samplers() {
    std::vector<std::string> names;
    for (const SamplerKind* kind : default_order()) names.emplace_back(kind->name);
    return names;
}

std::string default_sampler_sequence() {
    std::string letters;
    for (const SamplerKind* kind : default_order()) letters += kind->letter;
    return letters;
}

std::vector<Option> sampling_options() {
    std::vector<Option> all = chain_options();
    std::vector<const SamplerKind*> kinds = default_order();
    for (const SamplerKind* kind : sampler_kinds())
        if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
    for (const SamplerKind* kind : kinds)
        for (Option& option : kind->options()) all.push_back(std::move(option));
    for (Option& option : all) option.group = "Sampling";
    return all;
}

Status check_request(const OptionValues& options) {
    const double temperature = options.real("temperature");
    if (temperature < 0)
        return fail(Code::invalid_argument, "temperature: expected a number of at least 0, found ",
                    temperature);
    return {};
}

Result<std::vector<const SamplerKind*>> sampler_order(const OptionValues& options) {
    std::vector<const SamplerKind*> order;
    if (options.given("sampler_seq") && !options.given("samplers")) {
        for (const char letter : options.text("sampler_seq")) {
            INGLE_ASSIGN(const SamplerKind* const kind, by_letter(letter));
            order.push_back(kind);
        }
        return order;
    }
    for (const std::string& entry : options.list("samplers")) {
        for (const std::string_view part : split(entry, ';')) {
            const std::string_view word = trim(part);
            if (word.empty()) continue;
            INGLE_ASSIGN(const SamplerKind* const kind, by_name(word));
            order.push_back(kind);
        }
    }
    return order;
}

uint64_t choose_seed(const OptionValues& options) {
    const int64_t given = options.integer("seed");
    if (given >= 0 && given != int64_t(UINT32_MAX)) return uint64_t(given);
    std::random_device device;
    uint64_t state = uint64_t(device()) << 32 | device();
    state ^= uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
    return splitmix64(state) >> 33;  // 31 bits: can be given back through any client
}

}  // namespace ingle::sampling
