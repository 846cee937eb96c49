// The regular expressions of pre-tokenizers as tokenizer.json writes them, and other spellings of
// the same.
#pragma once

#include <string_view>

namespace ingle::files {

// What the step "ByteLevel" stands for when it cuts by itself.
inline constexpr std::string_view gpt2_pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
// What the step "Punctuation" stands for, mark by mark and in runs.
inline constexpr std::string_view marks_pattern = R"([\p{P}!-/:-@\[-`{-~])";
inline constexpr std::string_view mark_runs_pattern = R"([\p{P}\$\+<=>\^~\|`]+)";

}  // namespace ingle::files
