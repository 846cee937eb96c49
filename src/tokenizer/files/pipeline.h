// What the normalizer and the pre-tokenizer of a tokenizer.json do to a text, in the words of
// Vocabulary.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "tokenizer/files/json.h"

namespace ingle::files {

struct Pipeline {
    bool bytes_as_letters = false;  // GPT-2's spelling of bytes
    bool escapes_spaces = false;    // a space becomes U+2581
    bool prefixes_space = false;    // one more U+2581 before the text
    bool joins_spaces = false;      // runs of spaces count as one
    std::optional<bool> lowercase;
    std::optional<bool> strip_accents;
    std::string charsmap;
    // The regular expressions that cut the text, one after another.
    std::vector<std::string> patterns;
    // The types of all steps, for the check whether a model kind can do them.
    std::vector<std::string> normalizers;
    std::vector<std::string> pre_tokenizers;
};

// Fails for a step whose settings nobody knows, quoting it. Unknown types of steps are listed all
// the same: `check_steps` refuses them.
Result<Pipeline> read_pipeline(const Json& normalizer, const Json& pre_tokenizer);

// Fails for the first step that is not among `allowed` (types, separated by spaces).
Status check_steps(const Pipeline& pipeline, std::string_view model, std::string_view allowed);

// The name of the rule in pre/ that cuts as these patterns do, preferring one with the same habit
// of whole words. Fails by quoting the patterns.
Result<std::string> rule_name(const std::vector<std::string>& patterns, bool ignore_merges);

}  // namespace ingle::files
