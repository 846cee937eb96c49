// Generates text on a session: sample, show, feed, until something ends it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/answer.h"
#include "engine/session.h"
#include "sampling/chain.h"

namespace ingle {

struct GenerateOptions : AnswerOptions {
    GrammarMask* grammar = nullptr;  // what the answer must look like, at its beginning; null: anything
};

struct Generation {
    FinishReason reason = FinishReason::length;
    std::vector<Token> tokens;  // generated, without the token that ended the answer
    std::string text;           // what the sink was given
    int64_t prompt_tokens = 0;  // computed by this call
    double prompt_seconds = 0;
    double generate_seconds = 0;
};

// Gets each piece of text as it is certain; false cancels.
using TextSink = std::function<bool(std::string_view text)>;

// Feeds `prompt` (at least one token, or none if the session has fresh logits), then generates. The chain has
// already been told of earlier tokens; it is told of these. On failure the session holds what was done so far.
Result<Generation> generate(Session& session, std::span<const Token> prompt,
                            sampling::Chain& chain, const GenerateOptions& options,
                            const TextSink& sink);

}  // namespace ingle
