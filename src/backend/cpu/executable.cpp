#include "backend/cpu/executable.h"

#include <algorithm>
#include <cstring>

#include "base/platform.h"

namespace ingle::cpu {

Result<std::unique_ptr<CpuExecutable>> CpuExecutable::compile(const backend::Segment& segment,
                                                              const CpuWeights& weights,
                                                              CpuKvStore* kv, ThreadPool& pool,
                                                              const ExecutionOptions& options) {
    auto result = std::make_unique<CpuExecutable>();
    CpuExecutable& self = *result;
    self.pool_ = &pool;
    self.kv_ = kv;
    const auto of_pool = [&](int threads) {
        return threads <= 0 ? pool.size() : std::min(threads, pool.size());
    };
    self.decode_threads_ = of_pool(options.decode_threads);
    self.prompt_threads_ = of_pool(options.prompt_threads);
    self.values_.assign(segment.values.begin(), segment.values.end());
    self.plan_ = graph::plan_memory(segment);
    self.buffer_bytes_ = std::max<uint64_t>(self.plan_.bytes, 1);
    self.buffer_ = static_cast<std::byte*>(platform::allocate_pages(self.buffer_bytes_));
    if (self.buffer_ == nullptr)
        return fail(Code::out_of_memory, "cannot reserve ", human_bytes(self.buffer_bytes_),
                    " for activations");
    size_t scratch_bytes = std::max(cpu::scratch_bytes(options.isa), weights.scratch_bytes());
    for (const Node& node : segment.nodes) {
        const StepInputs inputs = self.inputs_of(node, segment, weights, kv, options);
        self.steps_.push_back(options.reference ? make_reference_step(inputs) : make_step(inputs));
        self.workspace_bytes_ = std::max(self.workspace_bytes_, self.steps_.back()->workspace_bytes());
        scratch_bytes = std::max(scratch_bytes, self.steps_.back()->scratch_bytes());
    }
    self.scratch_stride_ = (scratch_bytes + 4095) / 4096 * 4096;
    self.scratch_ = static_cast<std::byte*>(
        platform::allocate_pages(self.scratch_stride_ * size_t(pool.size())));
    self.workspace_ = static_cast<std::byte*>(
        platform::allocate_pages(std::max<uint64_t>(self.workspace_bytes_, 1)));
    if (self.scratch_ == nullptr || self.workspace_ == nullptr)
        return fail(Code::out_of_memory, "cannot reserve ",
                    human_bytes(self.workspace_bytes_ + self.scratch_stride_ * size_t(pool.size())),
                    " for working memory");
    for (int i = 0; i < 3; ++i) self.shares_.emplace_back(pool.size());
    return result;
}

CpuExecutable::~CpuExecutable() {
    platform::free_pages(buffer_, buffer_bytes_);
    platform::free_pages(workspace_, std::max<uint64_t>(workspace_bytes_, 1));
    if (pool_ != nullptr)
        platform::free_pages(scratch_, scratch_stride_ * size_t(pool_->size()));
}

float* CpuExecutable::address_of(ValueId value) const {
    const int64_t offset = plan_.offset_bytes[size_t(value)];
    return offset == none ? nullptr : reinterpret_cast<float*>(buffer_ + offset);
}

StepInputs CpuExecutable::inputs_of(const Node& node, const backend::Segment& segment,
                                    const CpuWeights& weights, CpuKvStore* kv,
                                    const ExecutionOptions& options) const {
    const auto operand = [&](ValueId id) {
        return Operand{address_of(id), values_[size_t(id)].columns, values_[size_t(id)].rows};
    };
    StepInputs inputs;
    inputs.node = &node;
    for (const ValueId in : node.in) inputs.in.push_back(operand(in));
    for (const ValueId out : node.out) inputs.out.push_back(operand(out));
    for (const WeightId id : node.weights)
        inputs.weights.push_back(id == none ? nullptr : &weights.at(id));
    if (kv != nullptr && node.layer != none) inputs.kv = kv->view(node.layer);
    inputs.isa = options.isa;
    inputs.planes = options.planes;
    inputs.tokens_max = segment.tokens_max;
    inputs.outputs_max = segment.outputs_max;
    return inputs;
}

backend::Event CpuExecutable::submit(const backend::Call& call) {
    const int threads = call.batch.tokens.size() > 1 ? prompt_threads_ : decode_threads_;
    pool_->run(threads, [&](int thread) { run_on(thread, threads, call); });
    close_full_pages(call);
    return {++submissions_};
}

void CpuExecutable::close_full_pages(const backend::Call& call) const {
    if (kv_ == nullptr || !kv_->layout().has_exact_forms()) return;
    const int64_t page_tokens = kv_->layout().page_tokens;
    for (const SequenceRows& rows : call.batch.sequences)
        for (int32_t r = rows.first; r < rows.first + rows.count; ++r) {
            const int64_t position = call.batch.positions[size_t(r)];
            if (position % page_tokens == page_tokens - 1 && position >= page_tokens)
                kv_->close(rows.pages[size_t(position / page_tokens)].page);
        }
}

// Phases of a single task are left to thread 0, which runs any number of them in a row without a barrier.
void CpuExecutable::run_on(int thread, int threads, const backend::Call& call) {
    RunState state;
    state.batch = &call.batch;
    state.scratch.data = scratch_ + scratch_stride_ * size_t(thread);
    state.workspace = workspace_;
    bool alone = false;  // the phases since the last barrier were thread 0's
    size_t present = 0;
    shares_[0].reset(thread);
    if (threads > 1) pool_->barrier();
    for (const std::unique_ptr<Step>& step : steps_) {
        for (int phase = 0; phase < step->phases(); ++phase) {
            const int64_t count = step->tasks(phase, call.batch);
            if (count == 0) continue;
            if (count == 1) {
                if (thread == 0) step->run(phase, 0, state);
                alone = true;
                continue;
            }
            if (alone) pool_->barrier();
            alone = false;
            const size_t next = (present + 1) % shares_.size();
            shares_[next].reset(thread);
            shares_[present].deal(thread, threads, count,
                                  [&](int64_t task) { step->run(phase, task, state); });
            pool_->barrier();
            present = next;
        }
    }
}

Status CpuExecutable::read(ValueId value, int64_t rows, float* out) {
    std::memcpy(out, address_of(value),
                size_t(rows * values_[size_t(value)].columns) * sizeof(float));
    return {};
}

Status CpuExecutable::write(ValueId value, int64_t rows, const float* in) {
    std::memcpy(address_of(value), in,
                size_t(rows * values_[size_t(value)].columns) * sizeof(float));
    return {};
}

uint64_t CpuExecutable::scratch_bytes() const {
    return scratch_stride_ * size_t(pool_->size()) + workspace_bytes_;
}

std::vector<std::string> CpuExecutable::describe() const {
    std::vector<std::string> lines;
    for (const std::unique_ptr<Step>& step : steps_) lines.push_back(step->describe());
    return lines;
}

}  // namespace ingle::cpu
