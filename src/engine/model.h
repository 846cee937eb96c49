// A model ready to run: its file, tokenizer, compiled graph, and weights prepared on the devices. Immutable; shared
// by any number of sessions.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "engine/ranking_head.h"
#include "engine/runtime.h"
#include "gguf/reader.h"
#include "graph/program.h"
#include "tokenizer/tokenizer.h"

namespace ingle {

struct ModelOptions {
    std::filesystem::path path;  // a GGUF file, or any part of a split set
    backend::Progress progress;
    bool without_tokenizer = false;
    bool outline = false;  // do not read the weights: what sessions would need can be measured, but they cannot run
};

class Model {
  public:
    static Result<std::shared_ptr<const Model>> load(std::shared_ptr<Runtime> runtime,
                                                     const ModelOptions& options);

    const gguf::File& file() const { return file_; }
    // Null only if it was not asked for.
    const Tokenizer* tokenizer() const { return tokenizer_.get(); }
    const graph::Graph& graph() const { return graph_; }
    const backend::Weights& weights() const { return *weights_; }
    Runtime& runtime() const { return *runtime_; }

    int64_t vocab() const { return graph_.values[size_t(graph_.result)].columns; }
    // Tokens the model was trained on, 0 if the file does not say.
    int64_t context_trained() const { return context_trained_; }
    int64_t parameter_count() const { return parameter_count_; }
    uint64_t file_bytes() const { return file_.total_bytes(); }
    // Fails once a mapped file that it uses was found cut or unreadable.
    Status intact() const;
    // Tells whether two files are the same model: names, shapes and a sample of every tensor.
    uint64_t fingerprint() const;
    // Null if it has none.
    const RankingHead* ranking_head() const { return ranking_head_ ? &*ranking_head_ : nullptr; }
    // "llama 135M Q4_1"
    std::string description() const;

    Model(std::shared_ptr<Runtime> runtime, gguf::File file)
        : runtime_(std::move(runtime)), file_(std::move(file)) {}

  private:
    Status build();
    Status prepare(const ModelOptions& options);

    std::shared_ptr<Runtime> runtime_;
    gguf::File file_;
    std::unique_ptr<const Tokenizer> tokenizer_;
    graph::Graph graph_;
    std::unique_ptr<backend::Weights> weights_;
    std::optional<RankingHead> ranking_head_;
    int64_t context_trained_ = 0;
    int64_t parameter_count_ = 0;
};

}  // namespace ingle
