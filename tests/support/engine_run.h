// What a request gave, collected; and the same request answered alone, by a session.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/generate.h"
#include "engine/session.h"
#include "sampling/options.h"
#include "support/fixtures.h"

namespace ingle::test {

struct Collected {
    struct Choice {
        std::vector<Token> tokens;
        std::string text;
        std::vector<TokenPiece> pieces;
        Finished finished;
        bool ended = false;
    };
    std::map<int, Choice> choices;
    std::vector<PromptProgress> progress;
    Embedding embedding;
    Status status;
    bool done = false;

    void take(StreamEvent event) {
        if (auto* const piece = std::get_if<TokenPiece>(&event)) {
            Choice& choice = choices[piece->choice];
            choice.tokens.push_back(piece->token);
            choice.text += piece->text;
            choice.pieces.push_back(std::move(*piece));
        } else if (auto* const finished = std::get_if<Finished>(&event)) {
            Choice& choice = choices[finished->choice];
            choice.text += finished->text;
            choice.finished = *finished;
            choice.ended = true;
        } else if (auto* const step = std::get_if<PromptProgress>(&event)) {
            progress.push_back(*step);
        } else if (auto* const embedded = std::get_if<Embedding>(&event)) {
            embedding = std::move(*embedded);
        } else {
            status = std::get<Done>(event).status;
            done = true;
        }
    }
};

// Reads the stream to its end, or for a minute.
inline Collected collect(Stream& stream) {
    Collected all;
    StreamEvent event;
    const Clock::time_point until = Clock::now() + std::chrono::seconds(60);
    while (!all.done && stream.wait(event, until)) all.take(std::move(event));
    EXPECT_TRUE(all.done) << "no end within a minute";
    return all;
}

// Temperature 0, or with `seed` drawn at random.
inline GenerationRequest request_for(std::vector<Token> prompt, int64_t tokens_max, int64_t seed = -1) {
    GenerationRequest request;
    request.prompt = std::move(prompt);
    request.tokens_max = tokens_max;
    request.sampling = OptionValues(sampling::sampling_options());
    EXPECT_OK(request.sampling.set("temperature", seed < 0 ? 0.0 : 1.0));
    if (seed >= 0) EXPECT_OK(request.sampling.set("seed", seed));
    return request;
}

inline Generation alone(const std::shared_ptr<const Model>& model, const GenerationRequest& request,
                        const SessionOptions& with) {
    auto session = Session::open(model, with);
    EXPECT_OK(session);
    auto chain = sampling::Chain::make(
        request.sampling, vocabulary_of(*model->tokenizer(), model->vocab()), with.context_tokens);
    EXPECT_OK(chain);
    GenerateOptions options;
    options.tokens_max = request.tokens_max;
    options.stops = request.stops;
    options.ignore_end = request.ignore_end;
    auto generation = generate(**session, request.prompt, *chain, options,
                               [](std::string_view) { return true; });
    EXPECT_OK(generation);
    return generation.ok() ? std::move(*generation) : Generation();
}

inline Generation alone(const std::shared_ptr<const Model>& model, const GenerationRequest& request,
                        int64_t context_tokens, bool context_shift = false) {
    SessionOptions with{.context_tokens = context_tokens};
    with.context_shift = context_shift;
    return alone(model, request, with);
}

inline std::shared_ptr<const Model> stories(int threads = 1) {
    auto model = Model::load(Runtime::make({.threads = threads}),
                             {.path = source_dir() / "models" / "stories260K.gguf", .progress = {}});
    EXPECT_OK(model);
    return model.ok() ? std::move(*model) : nullptr;
}

}  // namespace ingle::test
