// One answer on its way: draws tokens, turns them into text, and knows what ends it. Sessions and the engine share it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/grammar_mask.h"
#include "engine/reasoning_limit.h"
#include "engine/stop_text.h"
#include "sampling/chain.h"
#include "tokenizer/tokenizer.h"

namespace ingle {

enum class FinishReason {
    end_of_generation,  // the model ended its answer
    stop_text,          // a stop string came
    length,             // as many tokens as asked for
    context_full,       // no room for another token
    cancelled,          // the sink said so
};
std::string_view to_string(FinishReason reason);

struct AnswerOptions {
    int64_t tokens_max = -1;         // tokens to generate; -1: any number
    std::vector<std::string> stops;  // texts that end the answer; not shown
    bool show_special = false;       // write control tokens out
    bool ignore_end = false;         // go on after an end-of-generation token
    bool begins_text = false;        // nothing was shown before: take off a leading space
    ReasoningOptions reasoning = {};
};

// What sampling must know about a model; not to be used after its tokenizer.
sampling::VocabularyInfo vocabulary_of(const Tokenizer& tokenizer, int64_t logits);

class Answer {
  public:
    // All must outlive it; `grammar` may be null.
    Answer(const Tokenizer& tokenizer, const AnswerOptions& options, sampling::Chain& chain,
           GrammarMask* grammar);

    struct Step {
        Token token = 0;
        std::string text;                 // that is certain now
        std::optional<FinishReason> end;  // this was the last
        // False for a token that ended the answer and is no part of it.
        bool part() const { return end != FinishReason::end_of_generation || must_end; }
        bool must_end = false;            // the grammar's end came with this token
    };
    // Draws from the logits of the token before.
    Result<Step> next(std::span<const float> logits);
    // The model stops reasoning, if it does, and answers.
    void end_reasoning() { reasoning_.stop(); }
    // The text that is still held back, once nothing more will come.
    std::string flush();

    int64_t tokens() const { return tokens_; }
    // The stop string that came, if one did.
    const std::string& stop() const { return stop_.matched(); }

  private:
    const Tokenizer& tokenizer_;
    int64_t tokens_max_;
    bool ignore_end_;
    sampling::Chain& chain_;
    GrammarMask* grammar_;
    Detokenizer detokenizer_;
    StopText stop_;
    ReasoningLimit reasoning_;
    int64_t tokens_ = 0;  // drawn so far, without one that ended the answer
};

}  // namespace ingle
