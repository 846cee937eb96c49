// Pre-tokenizers: how a byte-level vocabulary cuts a text into words before merging. One file each
// in pre/.
#pragma once

#include <span>
#include <string_view>

#include "base/status.h"
#include "tokenizer/split.h"

namespace ingle::pre {

// Appends the ends of the words of `text`, each plus `offset`.
using Split = void (*)(std::string_view text, size_t offset, Ends& ends);

struct Step {
    // The regular expression that `split` stands for, as tokenizer.json writes it.
    std::string_view pattern;
    Split split = nullptr;
};

struct PreTokenizer {
    // All values of `tokenizer.ggml.pre` that mean this rule, separated by spaces.
    std::string_view names;
    // Applied one after another, each to the words of the one before.
    Step steps[6];
    // What vocabularies with these names expect when they do not say so themselves.
    bool add_bos = false;
    bool ignore_merges = false;

    Ends split(std::string_view text) const;
};

std::span<const PreTokenizer* const> all_pre_tokenizers();

// By the name in `tokenizer.ggml.pre`. An unknown name is a failure that lists near names.
Result<const PreTokenizer*> find_pre_tokenizer(std::string_view name);

// The rule whose steps have exactly these regular expressions, or null.
const PreTokenizer* find_pre_tokenizer(std::span<const std::string_view> patterns);

}  // namespace ingle::pre
