// How flags may be written. The schema (base/option.h) lists every spelling of an option; here the words
// of a command line are brought into the one form that both parsers take:
//
//   -ngl 99   ->  --@ngl=99      llama.cpp's single dash with several letters
//   -p -5C    ->  --@p=-5C       a value that looks like a flag
//   -t4       ->  --@t=4         a number glued to its letter
//   --fa      ->  --fa=on        an option whose value may be left out
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/option.h"

namespace ingle::cli {

struct Spelling {
    std::string text;      // as typed, e.g. "-ngl" or "--no-jinja"
    bool negated = false;  // sets a bool to false
    // The name without dashes that is unique among "-c" and "--c": "@c" and "c".
    std::string key() const;
};

std::vector<Spelling> spellings_of(const Option& option);
bool takes_value(const Option& option);

struct Rewritten {
    std::vector<std::string> flags;      // "--KEY" or "--KEY=VALUE", in order
    std::vector<std::string> arguments;  // words that are no flag, in order
};

// Fails on an unknown flag (with the nearest known one) and on a flag that lacks its value.
Result<Rewritten> rewrite(const std::vector<Option>& options, std::span<const std::string> words);

}  // namespace ingle::cli
