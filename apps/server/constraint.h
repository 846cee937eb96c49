// What an answer must look like, as requests say it: GBNF, JSON Schema, a regular expression, choices. Whatever
// cannot be enforced is an error that names it; nothing is ever ignored.
#pragma once

#include <memory>

#include "grammar/grammar.h"
#include "server/json.h"
#include "tokenizer/tokenizer.h"

namespace ingle::server {

// Null: anything. Reads "grammar", "json_schema", "regex", "choice" and "response_format".
Result<std::shared_ptr<grammar::Grammar>> constraint_of(const Json& request, const Tokenizer& tokenizer);

}  // namespace ingle::server
