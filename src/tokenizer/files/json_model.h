// The models of a tokenizer.json.
#pragma once

#include "base/status.h"
#include "tokenizer/files/json.h"
#include "tokenizer/files/pipeline.h"
#include "tokenizer/vocabulary.h"

namespace ingle::files {

// Tokens, types, scores, merges, flags and the kind of model; added tokens are not in it yet.
Result<Vocabulary> read_json_model(const Json& model, const Pipeline& pipeline);

}  // namespace ingle::files
