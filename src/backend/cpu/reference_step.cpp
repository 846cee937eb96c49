// Runs any op by its plain reference, rows (or a matrix's columns) shared among threads.
#include <algorithm>

#include "backend/cpu/step.h"

namespace ingle::cpu {

namespace {

constexpr int64_t columns_per_task = 64;

// Common to both kinds below: builds the reference's arguments from a call.
class ReferenceStep : public Step {
  public:
    explicit ReferenceStep(const StepInputs& inputs)
        : node_(*inputs.node), in_(inputs.in), out_(inputs.out), kv_(inputs.kv) {
        for (const PreparedWeight* const weight : inputs.weights)
            sources_.push_back(weight == nullptr ? nullptr : weight->source);
    }

    std::string describe() const override { return cat(op_name(node_.op), " [reference]"); }

  protected:
    // Calls f with Arguments; they live as long as the call. At most operands_max operands.
    template <class F>
    void with_arguments(const RunState& state, F&& f) const {
        std::array<ConstMatrix, operands_max> in;
        std::array<Matrix, operands_max> out;
        for (size_t i = 0; i < in_.size(); ++i) in[i] = in_[i].matrix(*state.batch);
        for (size_t i = 0; i < out_.size(); ++i) out[i] = out_[i].matrix(*state.batch);
        ops::Arguments arguments;
        arguments.in = {in.data(), in_.size()};
        arguments.out = {out.data(), out_.size()};
        arguments.weights = sources_;
        arguments.batch = state.batch;
        arguments.rows = node_.rows;
        arguments.kv = &kv_;
        f(arguments);
    }

    static constexpr size_t operands_max = 16;
    Node node_;
    std::vector<Operand> in_;
    std::vector<Operand> out_;
    std::vector<const WeightSource*> sources_;
    KvView kv_;
};

class RowsStep final : public ReferenceStep {
  public:
    using ReferenceStep::ReferenceStep;

    int64_t tasks(int, const Batch& batch) const override {
        const int64_t rows = batch.count(node_.rows);
        return adds_up_rows() ? std::min<int64_t>(rows, 1) : rows;
    }

    void run(int, int64_t task, const RunState& state) override {
        const int64_t end = adds_up_rows() ? state.batch->count(node_.rows) : task + 1;
        with_arguments(state, [&](const ops::Arguments& arguments) {
            std::visit([&]<class Op>(const Op& op) { Op::reference(op, arguments, {task, end}); },
                       node_.op);
        });
    }

  private:
    // Its rows share sums, so one thread takes them all.
    bool adds_up_rows() const {
        const auto* const experts = std::get_if<ops::Experts>(&node_.op);
        return experts != nullptr && experts->observed_input != nullptr;
    }
};

// A linear is cut by columns, so that each weight row is decoded once for all tokens.
class LinearStep final : public ReferenceStep {
  public:
    using ReferenceStep::ReferenceStep;

    int64_t tasks(int, const Batch& batch) const override {
        if (batch.count(node_.rows) == 0) return 0;
        int64_t count = 0;
        for (const Operand& out : out_) count += blocks(out);
        return count;
    }

    void run(int, int64_t task, const RunState& state) override {
        size_t m = 0;
        while (task >= blocks(out_[m])) task -= blocks(out_[m++]);
        const int64_t first = task * columns_per_task;
        const int64_t last = std::min(first + columns_per_task, out_[m].columns);
        with_arguments(state, [&](const ops::Arguments& arguments) {
            ops::Linear::reference_columns(std::get<ops::Linear>(node_.op), arguments, m,
                                           {first, last});
        });
    }

  private:
    static int64_t blocks(const Operand& out) {
        return (out.columns + columns_per_task - 1) / columns_per_task;
    }
};

// Sums over rows are cut by columns, so that each column is summed in one order.
class ObserveStep final : public ReferenceStep {
  public:
    using ReferenceStep::ReferenceStep;

    int64_t tasks(int, const Batch& batch) const override {
        if (batch.count(node_.rows) == 0) return 0;
        return (in_[0].columns + columns_per_task - 1) / columns_per_task;
    }

    void run(int, int64_t task, const RunState& state) override {
        const int64_t first = task * columns_per_task;
        const int64_t last = std::min(first + columns_per_task, in_[0].columns);
        with_arguments(state, [&](const ops::Arguments& arguments) {
            ops::Observe::reference_columns(std::get<ops::Observe>(node_.op), arguments,
                                            {first, last});
        });
    }
};

}  // namespace

std::unique_ptr<Step> make_reference_step(const StepInputs& inputs) {
    if (std::holds_alternative<ops::Linear>(inputs.node->op))
        return std::make_unique<LinearStep>(inputs);
    if (std::holds_alternative<ops::Observe>(inputs.node->op))
        return std::make_unique<ObserveStep>(inputs);
    return std::make_unique<RowsStep>(inputs);
}

std::unique_ptr<Step> make_step(const StepInputs& inputs) {
    const std::string_view op = op_name(inputs.node->op);
    for (const StepMaker* const maker : all_step_makers()) {
        if (maker->op != op) continue;
        if (auto step = maker->make(inputs)) return step;
    }
    return make_reference_step(inputs);
}

}  // namespace ingle::cpu
