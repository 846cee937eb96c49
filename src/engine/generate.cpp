#include "engine/generate.h"

#include <chrono>

namespace ingle {

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class Loop {
  public:
    Loop(Session& session, sampling::Chain& chain, const GenerateOptions& options,
         const TextSink& sink)
        : session_(session),
          chain_(chain),
          options_(options),
          sink_(sink),
          answer_(*session.model().tokenizer(), options, chain, options.grammar) {}

    Result<Generation> run(std::span<const Token> prompt) {
        auto start = std::chrono::steady_clock::now();
        for (const Token token : prompt) chain_.accept(token);
        INGLE_TRY(session_.feed(prompt, [this](int64_t, int64_t) { return sink_(""); }));
        result_.prompt_tokens = int64_t(prompt.size());
        result_.prompt_seconds = seconds_since(start);
        start = std::chrono::steady_clock::now();
        for (bool more = options_.tokens_max != 0; more;) {
            INGLE_ASSIGN(more, next());
        }
        show(answer_.flush());
        result_.generate_seconds = seconds_since(start);
        return std::move(result_);
    }

  private:
    bool show(const std::string& text) {
        result_.text += text;
        return text.empty() || sink_(text);
    }

    bool finish(FinishReason reason) {
        result_.reason = reason;
        return false;
    }

    // One token; true if another may follow.
    Result<bool> next() {
        INGLE_ASSIGN(Answer::Step step, answer_.next(session_.logits()));
        if (step.part()) result_.tokens.push_back(step.token);
        const bool wanted = show(step.text);
        if (step.end && *step.end != FinishReason::length) return finish(*step.end);
        if (!wanted || !sink_("")) return finish(FinishReason::cancelled);
        if (step.end) return finish(*step.end);
        if (session_.full()) return finish(FinishReason::context_full);
        INGLE_TRY(session_.feed({&step.token, 1}));
        return true;
    }

    Session& session_;
    sampling::Chain& chain_;
    const GenerateOptions& options_;
    const TextSink& sink_;
    Answer answer_;
    Generation result_;
};

}  // namespace

Result<Generation> generate(Session& session, std::span<const Token> prompt,
                            sampling::Chain& chain, const GenerateOptions& options,
                            const TextSink& sink) {
    return Loop(session, chain, options, sink).run(prompt);
}

}  // namespace ingle
