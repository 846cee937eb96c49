#include "engine/model.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/checksum.h"
#include "base/platform.h"
#include "engine/memory.h"
#include "graph/observe.h"
#include "graph/pass.h"
#include "models/support/architecture.h"
#include "tokenizer/gguf_vocabulary.h"

namespace ingle {

Result<std::shared_ptr<const Model>> Model::load(std::shared_ptr<Runtime> runtime,
                                                 const ModelOptions& options) {
    INGLE_ASSIGN(gguf::File file, gguf::File::open(options.path));
    auto model = std::make_shared<Model>(std::move(runtime), std::move(file));
    INGLE_TRY(model->build().in(options.path.string()));
    if (!options.without_tokenizer) {
        INGLE_ASSIGN(Vocabulary vocabulary, vocabulary_from(model->file_));
        INGLE_ASSIGN(model->tokenizer_, Tokenizer::make(std::move(vocabulary)));
    }
    INGLE_TRY(model->prepare(options));
    INGLE_TRY(model->intact());
    // What was touched while it was read need not stay in this process.
    for (size_t i = 0; i < model->file_.shard_count(); ++i)
        if (const MappedFile* const shard = model->file_.shard(i); shard != nullptr)
            shard->drop_pages(0, shard->bytes().size());
    return std::shared_ptr<const Model>(std::move(model));
}

Status Model::intact() const {
    INGLE_TRY(file_.intact());
    return weights_->intact();
}

Status Model::build() {
    INGLE_ASSIGN(graph_, models::build_graph(file_));
    graph_ = graph::optimize(std::move(graph_));
    backend::Device* const devices[] = {&runtime_->device()};
    INGLE_TRY(graph::place(graph_, devices, [](const Node&) { return 0; }));
    const std::string prefix(file_.metadata().text("general.architecture"));
    if (const auto trained = file_.get<uint32_t>(prefix + ".context_length"); trained.ok())
        context_trained_ = *trained;
    const graph::Graph states = graph::without_output_matrix(graph_);
    INGLE_ASSIGN(ranking_head_, RankingHead::read(file_, states.values[size_t(states.result)].columns));
    for (const gguf::TensorInfo& tensor : file_.tensors())
        parameter_count_ += int64_t(tensor.elements());
    return {};
}

Status Model::prepare(const ModelOptions& options) {
    const std::vector<backend::WeightUse> uses = graph::weight_uses(graph_, 0);
    backend::Device& device = runtime_->device();
    if (options.outline) {
        INGLE_ASSIGN(weights_, device.outline(graph_.weights, uses));
        return {};
    }
    uint64_t needed = 0;
    for (const backend::WeightUse& use : uses)
        needed += device.weight_bytes(graph_.weights[size_t(use.id)], use);
    const uint64_t available = platform::available_memory_bytes();
    if (needed > available)
        return fail(Code::out_of_memory, "the weights need ", human_bytes(needed),
                    " of memory, but only ", human_bytes(available), " are free");
    INGLE_ASSIGN(weights_, device.prepare(graph_.weights, uses, options.progress));
    return {};
}

uint64_t Model::fingerprint() const {
    Checksum sum;
    std::array<std::byte, 4096> sample;
    for (const gguf::TensorInfo& tensor : file_.tensors()) {
        sum.update(std::as_bytes(std::span(tensor.name)));
        sum.update(std::as_bytes(std::span(tensor.dims)));
        sum.update(std::as_bytes(std::span(&tensor.type_id, 1)));
        const auto part = std::span(sample).first(std::min<size_t>(sample.size(), tensor.bytes));
        // A tensor that cannot be read is told by its shape alone; using it fails elsewhere.
        if (file_.read(tensor, 0, part).ok()) sum.update(part);
    }
    return sum.value();
}

std::string Model::description() const {
    const auto& metadata = file_.metadata();
    std::string size = std::string(metadata.text("general.size_label"));
    if (size.empty()) {
        char text[32];
        const double count = double(parameter_count_);
        if (count >= 1e9) std::snprintf(text, sizeof(text), "%.1fB", count / 1e9);
        else if (count >= 1e6) std::snprintf(text, sizeof(text), "%.0fM", count / 1e6);
        else std::snprintf(text, sizeof(text), "%.0fK", count / 1e3);
        size = text;
    }
    return cat(metadata.text("general.architecture"), " ", size);
}

}  // namespace ingle
