// Finding the rule of pre/ by the regular expressions of a tokenizer.json.
#include "tokenizer/files/patterns.h"

#include <algorithm>

#include "tokenizer/files/pipeline.h"
#include "tokenizer/pre_tokenizer.h"

namespace ingle::files {
namespace {

struct Spelling {
    std::string_view found;  // in published files
    std::string_view means;  // the spelling of the rule
};

// Possessive quantifiers match the same here, because no alternative needs what they hold. White
// space up to the last line end is the same with one line end or with many.
constexpr Spelling spellings[] = {
    // GPT-2
    {R"('(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", gpt2_pattern},
    {R"('(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s)",
     gpt2_pattern},
    // cl100k, in GLM 4 and others
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N})"
     R"(]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)",
     R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N})"
     R"(]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
    {R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[)"
     R"(\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)",
     R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N})"
     R"(]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"},
    // BLOOM writes a bracket more.
    {R"( ?[^(\s|[.,!?…。，、।۔،])]+)", R"( ?[^(\s|.,!?…。，、।۔،)]+)"},
};

std::string_view canonical(std::string_view pattern) {
    for (const Spelling& spelling : spellings)
        if (spelling.found == pattern) return spelling.means;
    return pattern;
}

bool cuts_by(const pre::PreTokenizer& rule, const std::vector<std::string_view>& patterns) {
    const auto end = std::find_if(std::begin(rule.steps), std::end(rule.steps),
                                  [](const pre::Step& step) { return step.split == nullptr; });
    return std::equal(std::begin(rule.steps), end, patterns.begin(), patterns.end(),
                      [](const pre::Step& step, std::string_view p) { return step.pattern == p; });
}

}  // namespace

Result<std::string> rule_name(const std::vector<std::string>& patterns, bool ignore_merges) {
    std::vector<std::string_view> wanted;
    for (const std::string& pattern : patterns) wanted.push_back(canonical(pattern));
    // Falcon's file cuts numbers once more (" 12" in two); its models' GGUF files all name the rule
    // that does not.
    if (wanted.size() == 4 && wanted[0] == mark_runs_pattern && wanted[2] == R"(\p{N}+)")
        wanted.erase(wanted.begin() + 2);
    const pre::PreTokenizer* found = nullptr;
    for (const pre::PreTokenizer* rule : pre::all_pre_tokenizers()) {
        if (found != nullptr && found->ignore_merges == ignore_merges) break;
        if (cuts_by(*rule, wanted) && (found == nullptr || rule->ignore_merges == ignore_merges))
            found = rule;
    }
    if (found != nullptr) return std::string(split(found->names, ' ').front());
    std::string list;
    for (const std::string_view pattern : wanted)
        list += cat(list.empty() ? "" : ", ", quoted(pattern, 400));
    return fail(Code::unsupported, "tokenizer.json: no pre-tokenizer of this build cuts by ",
                list.empty() ? "no regular expression" : "the regular expression ", list);
}

}  // namespace ingle::files
