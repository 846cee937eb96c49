#include "cli/spelling.h"

#include <algorithm>
#include <map>

namespace ingle::cli {

namespace {

struct Known {
    const Option* option;
    Spelling spelling;
};
using Table = std::map<std::string, Known, std::less<>>;

Table table_of(const std::vector<Option>& options) {
    Table table;
    for (const Option& option : options)
        for (const Spelling& spelling : spellings_of(option))
            table.emplace(spelling.text, Known{&option, spelling});
    return table;
}

bool is_number(const Option& option) {
    return std::holds_alternative<int64_t>(option.default_value) ||
           std::holds_alternative<double>(option.default_value);
}

Status unknown_flag(const Table& table, std::string_view flag) {
    std::vector<std::string_view> candidates;
    for (const auto& [text, known] : table) candidates.push_back(text);
    const std::string_view near = closest(flag, candidates);
    const std::string hint = near.empty() ? "" : cat("; did you mean ", near, "?");
    return fail(Code::invalid_argument, "unknown flag ", quoted(flag), hint);
}

bool looks_like_flag(std::string_view word) {
    return word.size() > 1 && word[0] == '-' && !parse_real(word);
}

// A value that may be left out is the next word only if that cannot be anything else: one of the choices or, if any text
// will do, a path that looks like one.
bool is_optional_value(const Option& option, std::string_view word) {
    if (option.choices.empty()) return !word.empty() && std::string_view("/.~").find(word[0]) != word.npos;
    return std::ranges::find(option.choices, word) != option.choices.end();
}

}  // namespace

std::string Spelling::key() const {
    return text.starts_with("--") ? text.substr(2) : "@" + text.substr(1);
}

std::vector<Spelling> spellings_of(const Option& option) {
    std::vector<Spelling> out;
    for (std::string_view flag : split(option.flags, ',')) {
        flag = trim(flag);
        const bool negated = flag.starts_with('!');
        if (negated) flag.remove_prefix(1);
        if (!flag.empty()) out.push_back({std::string(flag), negated});
    }
    return out;
}

bool takes_value(const Option& option) {
    return !std::holds_alternative<bool>(option.default_value);
}

Result<Rewritten> rewrite(const std::vector<Option>& options, std::span<const std::string> words) {
    const Table table = table_of(options);
    Rewritten out;
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (word == "--") {
            out.arguments.insert(out.arguments.end(), words.begin() + i + 1, words.end());
            break;
        }
        if (!looks_like_flag(word)) {
            out.arguments.emplace_back(word);
            continue;
        }
        const size_t equals = word.find('=');
        const std::string_view name = word.substr(0, equals);
        auto found = table.find(name);
        if (found == table.end() && name.starts_with("--")) {
            // llama.cpp reads --ctx_size as --ctx-size.
            std::string dashed(name);
            std::ranges::replace(dashed, '_', '-');
            found = table.find(dashed);
        }
        if (found == table.end()) {
            // "-t4": one letter, then a number
            found = table.find(word.substr(0, 2));
            if (found == table.end() || !is_number(*found->second.option) ||
                !parse_real(word.substr(2)))
                return unknown_flag(table, name);
            out.flags.push_back(cat("--", found->second.spelling.key(), "=", word.substr(2)));
            continue;
        }
        const auto& [option, spelling] = found->second;
        const std::string flag = cat("--", spelling.key());
        if (equals != std::string_view::npos) {
            out.flags.push_back(cat(flag, "=", word.substr(equals + 1)));
        } else if (!takes_value(*option)) {
            out.flags.push_back(flag);
        } else if (!option->implied.empty() &&
                   (i + 1 == words.size() || !is_optional_value(*option, words[i + 1]))) {
            out.flags.push_back(cat(flag, "=", option->implied));
        } else if (i + 1 == words.size()) {
            return fail(Code::invalid_argument, spelling.text, ": expected a value (",
                        option->placeholder, ") after it, found the end of the command");
        } else {
            out.flags.push_back(cat(flag, "=", words[++i]));
        }
    }
    return out;
}

}  // namespace ingle::cli
