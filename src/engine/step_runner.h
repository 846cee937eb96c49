// Runs the rows of a step on the model: the program that gives logits, and, from the first text to embed on, the one
// that gives hidden states. Both work on the same cache.
#pragma once

#include <memory>
#include <span>

#include "engine/model.h"
#include "engine/step_rows.h"

namespace ingle {

struct StepLimits {
    int64_t rows_max = 0;     // tokens of a step
    int64_t outputs_max = 0;  // rows of logits
};

class StepRunner {
  public:
    // `store` must outlive it.
    static Result<std::unique_ptr<StepRunner>> make(std::shared_ptr<const Model> model,
                                                    backend::KvStore& store,
                                                    const StepLimits& limits);

    // f(member, result rows [outputs, columns], status) for each member of the rows. A step that fails is taken apart:
    // every member runs alone, so that the failure is that of whom it concerns.
    template <class F>
    void run(StepRows& rows, bool hidden_states, F&& f) {
        Status status = run_call(rows.call(), hidden_states);
        const bool apart = !status.ok() && rows.members().size() > 1;
        for (size_t i = 0; i < rows.members().size(); ++i) {
            SequenceRows place = rows.members()[i].rows;
            if (apart) status = run_call(rows.call_of(i, place), hidden_states);
            f(rows.members()[i], status.ok() ? result_of(place, hidden_states)
                                             : std::span<const float>(), status);
        }
    }

    int64_t hidden_columns() const;
    uint64_t activation_bytes() const;
    uint64_t scratch_bytes() const;

  private:
    Status run_call(const backend::Call& call, bool hidden_states);
    Status prepare_states();
    std::span<const float> result_of(const SequenceRows& rows, bool hidden_states) const;

    std::shared_ptr<const Model> model_;
    backend::KvStore* store_ = nullptr;
    StepLimits limits_;
    std::unique_ptr<graph::Program> logits_;
    graph::Graph states_graph_;
    std::unique_ptr<graph::Program> states_;
};

}  // namespace ingle
