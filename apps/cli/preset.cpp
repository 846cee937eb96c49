#include "cli/preset.h"

#include <algorithm>

#include "cli/spelling.h"

namespace ingle::cli {

namespace {

// Flags of the whole server, which a model cannot have for itself.
bool is_of_server(const Option& option) {
    constexpr std::string_view groups[] = {"Network", "Safety", "What is shown", "Help and messages"};
    constexpr std::string_view names[] = {"models_dir", "models_preset", "models_max", "models_autoload",
                                          "n_predict",  "pooling",       "memory",     "context_shift",
                                          "reasoning_format", "prefill_assistant", "sleep_idle_seconds"};
    return std::ranges::find(groups, option.group) != std::end(groups) ||
           std::ranges::find(names, option.name) != std::end(names);
}

std::string upper_name(std::string_view name) {
    std::string text(name);
    for (char& c : text)
        if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
    return text;
}

std::string without_dashes(std::string_view flag) {
    return std::string(flag.substr(std::min(flag.find_first_not_of('-'), flag.size())));
}

struct Named {
    const Option* option = nullptr;
    bool negated = false;
};

// "ctx-size", "c", "LLAMA_ARG_CTX_SIZE"
Named find_option(const OptionValues& values, std::string_view key) {
    for (const Option& option : values.options()) {
        for (const Spelling& spelling : spellings_of(option))
            if (without_dashes(spelling.text) == key) return {&option, spelling.negated};
        const std::string variable = option.environment.empty() ? upper_name(option.name) : option.environment;
        if (key == "LLAMA_ARG_" + variable || key == "INGLE_" + variable) return {&option, false};
    }
    return {};
}

Status at_line(const PresetEntry& entry, const Status& status) {
    return fail(status.code(), "line ", entry.line, ": ", quoted(entry.key), ": ", status.message());
}

bool is_yes(std::string_view value) {
    return value == "1" || value == "true" || value == "on" || value == "yes" || value == "enabled";
}

// Keys that are about the model's place in the server.
bool take_key(const PresetEntry& entry, Preset& preset) {
    if (entry.key == "load-on-startup") preset.at_start = is_yes(entry.value);
    else if (entry.key == "dedup-cache-models") preset.hides_source = is_yes(entry.value);
    else return entry.key == "stop-timeout" || entry.key == "version";
    return true;
}

Status take_entry(const PresetEntry& entry, Preset& preset) {
    if (take_key(entry, preset)) return {};
    const Named named = find_option(preset.values, entry.key);
    if (named.option == nullptr)
        return at_line(entry, fail(Code::invalid_argument, "there is no such flag"));
    if (named.option->name == "model" || named.option->name == "hf_repo") {
        preset.model = entry.value;
        return {};
    }
    if (is_of_server(*named.option))
        return at_line(entry, fail(Code::invalid_argument, "is said for the whole server, on the command line"));
    const std::string& value = named.negated ? (is_yes(entry.value) ? "false" : "true") : entry.value;
    if (const Status status = preset.values.set_text(named.option->name, value); !status.ok())
        return at_line(entry, status);
    return {};
}

std::string text_of(const PresetSection& section) {
    std::string text;
    for (const PresetEntry& entry : section.entries) text += cat(entry.key, "=", entry.value, "\n");
    return text;
}

// Later ones win, so that what wins comes last; what the command line gave is left out.
Result<Preset> preset_of(const PresetSection& section, const PresetSection& common, const OptionValues& given) {
    Preset preset;
    preset.name = section.name;
    preset.values = given;
    preset.definition = text_of(common) + text_of(section);
    for (const PresetSection* const from : {&common, &section}) {
        for (const PresetEntry& entry : from->entries) {
            const Named named = find_option(given, entry.key);
            if (named.option != nullptr && named.option->name != "model" && given.given(named.option->name)) continue;
            INGLE_TRY(take_entry(entry, preset));
        }
    }
    if (preset.model.empty()) preset.model = preset.name;
    return preset;
}

}  // namespace

Result<std::vector<PresetSection>> parse_presets(std::string_view text) {
    std::vector<PresetSection> sections(1);
    int number = 0;
    for (const std::string_view whole : split(text, '\n')) {
        ++number;
        const std::string_view line = trim(whole);
        if (line.empty() || line.front() == ';' || line.front() == '#') continue;
        if (line.front() == '[') {
            if (line.back() != ']' || line.size() < 3)
                return fail(Code::invalid_argument, "line ", number, ": expected [name], found ", quoted(line, 60));
            sections.push_back({.name = std::string(trim(line.substr(1, line.size() - 2))), .entries = {}});
            continue;
        }
        const size_t equals = line.find('=');
        if (equals == line.npos)
            return fail(Code::invalid_argument, "line ", number, ": expected key = value, found ", quoted(line, 60));
        sections.back().entries.push_back({std::string(trim(line.substr(0, equals))),
                                           std::string(trim(line.substr(equals + 1))), number});
    }
    return sections;
}

Result<std::vector<Preset>> presets_of(std::string_view text, const OptionValues& given) {
    INGLE_ASSIGN(const auto sections, parse_presets(text));
    PresetSection common;
    for (const PresetSection& section : sections)
        if (section.name == "*" || section.name.empty())
            common.entries.insert(common.entries.end(), section.entries.begin(), section.entries.end());
    std::vector<Preset> presets;
    for (const PresetSection& section : sections) {
        if (section.name == "*" || section.name.empty()) continue;
        if (std::ranges::find(presets, section.name, &Preset::name) != presets.end())
            return fail(Code::invalid_argument, "the model ", quoted(section.name), " has two sections");
        INGLE_ASSIGN(Preset preset, preset_of(section, common, given));
        presets.push_back(std::move(preset));
    }
    return presets;
}

}  // namespace ingle::cli
