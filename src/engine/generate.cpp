#include "engine/generate.h"

#include <chrono>

#include "engine/stop_text.h"

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
          detokenizer_(*session.model().tokenizer(), options.show_special, options.begins_text),
          stop_(options.stops) {}

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
        if (result_.reason != FinishReason::stop_text) {
            show(stop_.push(detokenizer_.flush()));
            show(stop_.flush());
        }
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
        auto drawn = chain_.sample(session_.logits(), options_.grammar);
        if (!drawn.ok()) {
            if (options_.grammar != nullptr) INGLE_TRY(options_.grammar->status());
            return std::move(drawn).status();
        }
        const Token token = *drawn;
        chain_.accept(token);
        if (options_.grammar != nullptr) INGLE_TRY(options_.grammar->accept(token));
        if (!options_.ignore_end && session_.model().tokenizer()->is_end_of_generation(token))
            return finish(FinishReason::end_of_generation);
        result_.tokens.push_back(token);
        const bool wanted = show(stop_.push(detokenizer_.push(token)));
        if (stop_.stopped()) return finish(FinishReason::stop_text);
        if (options_.grammar != nullptr && options_.grammar->must_end())
            return finish(FinishReason::end_of_generation);
        if (!wanted || !sink_("")) return finish(FinishReason::cancelled);
        if (int64_t(result_.tokens.size()) == options_.tokens_max)
            return finish(FinishReason::length);
        if (session_.length() >= session_.context_tokens())
            return finish(FinishReason::context_full);
        INGLE_TRY(session_.feed({&token, 1}));
        return true;
    }

    Session& session_;
    sampling::Chain& chain_;
    const GenerateOptions& options_;
    const TextSink& sink_;
    Detokenizer detokenizer_;
    StopText stop_;
    Generation result_;
};

}  // namespace

Result<Generation> generate(Session& session, std::span<const Token> prompt,
                            sampling::Chain& chain, const GenerateOptions& options,
                            const TextSink& sink) {
    return Loop(session, chain, options, sink).run(prompt);
}

}  // namespace ingle
