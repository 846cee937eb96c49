// Generates text on a session: sample, show, feed, until something ends it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/grammar_mask.h"
#include "engine/session.h"
#include "sampling/chain.h"

namespace ingle {

enum class FinishReason {
    end_of_generation,  // the model ended its answer
    stop_text,          // a stop string came
    length,             // as many tokens as asked for
    context_full,       // no room for another token
    cancelled,          // the sink said so
};
std::string_view to_string(FinishReason reason);

struct GenerateOptions {
    int64_t tokens_max = -1;         // tokens to generate; -1: until the context is full
    std::vector<std::string> stops;  // texts that end the answer; not shown
    bool show_special = false;       // write control tokens out
    bool ignore_end = false;         // go on after an end-of-generation token
    bool begins_text = false;        // nothing was shown before: take off a leading space
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
