// --grammar, --json-schema and their kin: what an answer must look like.
#pragma once

#include <memory>
#include <vector>

#include "cli/verb.h"
#include "engine/grammar_mask.h"

namespace ingle::cli {

std::vector<Option> grammar_options();

// The grammar asked for; null if none is. Fails if more than one is.
Result<std::shared_ptr<grammar::Grammar>> grammar_of(const OptionValues& values,
                                                     const grammar::TokenNames& names);
// The same for a model's vocabulary.
Result<std::unique_ptr<GrammarMask>> make_grammar_mask(const OptionValues& values,
                                                       const Tokenizer& tokenizer);

}  // namespace ingle::cli
