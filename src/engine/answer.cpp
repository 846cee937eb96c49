#include "engine/answer.h"

namespace ingle {

std::string_view to_string(FinishReason reason) {
    switch (reason) {
        case FinishReason::end_of_generation: return "stop";
        case FinishReason::stop_text: return "stop";
        case FinishReason::length: return "length";
        case FinishReason::context_full: return "length";
        case FinishReason::cancelled: return "cancelled";
    }
    return "";
}

sampling::VocabularyInfo vocabulary_of(const Tokenizer& tokenizer, int64_t logits) {
    sampling::VocabularyInfo info;
    info.size = int32_t(logits);
    info.end_tokens = tokenizer.end_of_generation();
    info.append_text = [&tokenizer](Token token, std::string& out) { out += tokenizer.piece(token); };
    return info;
}

Answer::Answer(const Tokenizer& tokenizer, const AnswerOptions& options, sampling::Chain& chain,
               GrammarMask* grammar)
    : tokenizer_(tokenizer),
      tokens_max_(options.tokens_max),
      ignore_end_(options.ignore_end),
      chain_(chain),
      grammar_(grammar),
      detokenizer_(tokenizer, options.show_special, options.begins_text),
      stop_(options.stops),
      reasoning_(options.reasoning) {}

Result<Answer::Step> Answer::next(std::span<const float> logits) {
    Step step;
    if (const auto forced = reasoning_.forced()) {
        step.token = *forced;
    } else {
        auto drawn = chain_.sample(logits, grammar_);
        if (!drawn.ok()) {
            if (grammar_ != nullptr) INGLE_TRY(grammar_->status());
            return std::move(drawn).status();
        }
        step.token = *drawn;
    }
    chain_.accept(step.token);
    if (grammar_ != nullptr) INGLE_TRY(grammar_->accept(step.token));
    if (!ignore_end_ && tokenizer_.is_end_of_generation(step.token)) {
        step.end = FinishReason::end_of_generation;
        return step;
    }
    ++tokens_;
    step.text = stop_.push(detokenizer_.push(step.token));
    reasoning_.took(step.text);
    if (stop_.stopped()) {
        step.end = FinishReason::stop_text;
    } else if (grammar_ != nullptr && grammar_->must_end()) {
        step.end = FinishReason::end_of_generation;
        step.must_end = true;
    } else if (tokens_ == tokens_max_) {
        step.end = FinishReason::length;
    }
    return step;
}

std::string Answer::flush() {
    if (stop_.stopped()) return "";
    std::string text = stop_.push(detokenizer_.flush());
    return text + stop_.flush();
}

}  // namespace ingle
