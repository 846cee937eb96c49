// Fields of a request that are settings of sampling, read by the schema of src/sampling.
#pragma once

#include "base/option.h"
#include "server/json.h"
#include "tokenizer/tokenizer.h"

namespace ingle::server {

// Sets what the request gives; ranges and types are the schema's. `logit_bias` also takes OpenAI's object and
// texts in place of ids. Fails with the field's name.
Status take_sampling(const Json& request, const Tokenizer& tokenizer, OptionValues& values);

// The values as fields of a request.
Json sampling_json(const OptionValues& values);

}  // namespace ingle::server
