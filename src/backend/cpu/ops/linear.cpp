// Linear on the CPU: the input is quantized (or copied) once into the kernels' order, then the rows of all matrices
// form one grid of tasks. Matrices whose formats want another kind of activations get their own copy.
#include "backend/cpu/step.h"

namespace ingle::cpu::entries {

namespace {

class LinearStep final : public Step {
  public:
    explicit LinearStep(const StepInputs& inputs)
        : input_(inputs.in[0]), node_(*inputs.node) {
        if (std::get<ops::Linear>(node_.op).residual) residual_ = inputs.in[1];
        for (size_t m = 0; m < inputs.out.size(); ++m) {
            const PreparedWeight& weight = *inputs.weights[2 * m];
            const PreparedWeight* const bias = inputs.weights[2 * m + 1];
            const ActivationKind kind = activation_kind(*weight.packed.kernel);
            MatmulJob job;
            job.weights = &weight.packed;
            job.out_stride = inputs.out[m].columns;
            job.out = inputs.out[m].data;
            job.bias = bias == nullptr ? nullptr : bias->values.data();
            jobs_.push_back(job);
            job_side_.push_back(side_for(kind, inputs));
        }
    }

    int phases() const override { return 2; }

    int64_t tasks(int phase, const Batch& batch) const override {
        const int64_t rows = batch.count(node_.rows);
        if (rows == 0) return 0;
        int64_t count = 0;
        if (phase == 0)
            for (size_t s = 0; s < sides_.size(); ++s) count += fill_task_count(side(s, rows, nullptr));
        else
            for (size_t m = 0; m < jobs_.size(); ++m) count += job_tasks(m, rows);
        return count;
    }

    void run(int phase, int64_t task, const RunState& state) override {
        const int64_t rows = state.batch->count(node_.rows);
        if (phase == 0) fill(task, rows, state.workspace);
        else multiply(task, rows, state);
    }

    uint64_t workspace_bytes() const override { return workspace_bytes_; }

    std::string describe() const override {
        std::string text = "linear";
        for (const MatmulJob& job : jobs_)
            text += cat(" [", job.weights->format->name, " ", job.weights->rows, "x",
                        job.weights->columns, "]");
        if (residual_.data != nullptr) text += " + residual";
        return text;
    }

  private:
    // The input in the form that one kind of kernel reads, at its place in the workspace.
    struct Side {
        Activations shape;
        uint64_t offset_bytes;
    };

    size_t side_for(ActivationKind kind, const StepInputs& inputs) {
        for (size_t s = 0; s < sides_.size(); ++s)
            if (sides_[s].shape.kind == kind) return s;
        Activations shape;
        shape.kind = kind;
        shape.isa = inputs.isa;
        const bool fine = std::get<ops::Linear>(node_.op).fine;
        shape.planes = kind != ActivationKind::int8 ? 1 : fine ? 2 : inputs.planes;
        shape.columns = input_.columns;
        shape.tokens = inputs.rows_max();
        sides_.push_back({shape, workspace_bytes_});
        workspace_bytes_ += (activation_bytes(shape) + 63) / 64 * 64;
        return sides_.size() - 1;
    }

    Activations side(size_t s, int64_t rows, std::byte* workspace) const {
        Activations view = sides_[s].shape;
        view.tokens = rows;
        view.data = workspace + sides_[s].offset_bytes;
        return view;
    }

    void fill(int64_t task, int64_t rows, std::byte* workspace) const {
        for (size_t s = 0; s < sides_.size(); ++s) {
            const Activations view = side(s, rows, workspace);
            const int64_t count = fill_task_count(view);
            if (task < count) return fill_activations(view, task, input_.data, input_.columns);
            task -= count;
        }
    }

    MatmulJob job_for(size_t m, const Activations& view) const {
        MatmulJob job = jobs_[m];
        job.activations = &view;
        if (residual_.data != nullptr) {
            job.residual = residual_.data;
            job.residual_stride = residual_.columns;
        }
        return job;
    }
    int64_t job_tasks(size_t m, int64_t rows) const {
        const Activations view = side(job_side_[m], rows, nullptr);
        return task_count(job_for(m, view));
    }

    void multiply(int64_t task, int64_t rows, const RunState& state) const {
        for (size_t m = 0; m < jobs_.size(); ++m) {
            const int64_t count = job_tasks(m, rows);
            if (task < count) {
                const Activations view = side(job_side_[m], rows, state.workspace);
                return run_task(job_for(m, view), task, state.scratch);
            }
            task -= count;
        }
    }

    Operand input_;
    Operand residual_;
    Node node_;
    std::vector<MatmulJob> jobs_;    // without activations
    std::vector<size_t> job_side_;   // job -> sides_
    std::vector<Side> sides_;        // one per kind in use
    uint64_t workspace_bytes_ = 0;
};

std::unique_ptr<Step> make(const StepInputs& inputs) {
    for (size_t m = 0; m < inputs.out.size(); ++m)
        if (inputs.weights[2 * m]->packed.kernel == nullptr) return nullptr;
    return std::make_unique<LinearStep>(inputs);
}

}  // namespace

extern const StepMaker linear;
const StepMaker linear{.op = ops::Linear::name, .make = make};

}  // namespace ingle::cpu::entries
