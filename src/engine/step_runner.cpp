#include "engine/step_runner.h"

#include "engine/within_memory.h"
#include "graph/observe.h"

namespace ingle {

Result<std::unique_ptr<StepRunner>> StepRunner::make(std::shared_ptr<const Model> model,
                                                     backend::KvStore& store,
                                                     const StepLimits& limits) {
    auto runner = std::make_unique<StepRunner>();
    runner->model_ = std::move(model);
    runner->store_ = &store;
    runner->limits_ = limits;
    const Model& self = *runner->model_;
    const graph::Binding bindings[] = {{&self.runtime().device(), &self.weights(), &store}};
    INGLE_ASSIGN(runner->logits_,
                 graph::Program::compile(self.graph(), bindings, limits.rows_max,
                                         limits.outputs_max));
    runner->states_graph_ = graph::without_output_matrix(self.graph());
    return runner;
}

int64_t StepRunner::hidden_columns() const {
    return states_graph_.values[size_t(states_graph_.result)].columns;
}

// Every row is an output: a pooled text needs all its tokens.
Status StepRunner::prepare_states() {
    if (states_ != nullptr) return {};
    const graph::Binding bindings[] = {{&model_->runtime().device(), &model_->weights(), store_}};
    INGLE_ASSIGN(states_, graph::Program::compile(states_graph_, bindings, limits_.rows_max,
                                                  limits_.rows_max));
    return {};
}

Status StepRunner::run_call(const backend::Call& call, bool hidden_states) {
    return within_memory([&]() -> Status {
        if (hidden_states) INGLE_TRY(prepare_states());
        {
            const std::lock_guard lock(model_->runtime().step_mutex());
            INGLE_TRY((hidden_states ? *states_ : *logits_).run(call));
        }
        return model_->intact();
    });
}

std::span<const float> StepRunner::result_of(const SequenceRows& rows, bool hidden_states) const {
    const auto columns = size_t(hidden_states ? hidden_columns() : model_->vocab());
    return (hidden_states ? *states_ : *logits_)
        .result()
        .subspan(size_t(rows.first_output) * columns, size_t(rows.outputs) * columns);
}

uint64_t StepRunner::activation_bytes() const {
    return logits_->activation_bytes() + (states_ != nullptr ? states_->activation_bytes() : 0);
}

uint64_t StepRunner::scratch_bytes() const {
    return logits_->scratch_bytes() + (states_ != nullptr ? states_->scratch_bytes() : 0);
}

}  // namespace ingle
