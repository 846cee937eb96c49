// Experts on the CPU. Rows are grouped by expert; then the products of all experts with their groups form one grid of
// tasks, first with gate and up, then with down.
//
//   group:    slots of rows by expert, and where everything of an expert begins    (one task)
//   fill:     the rows of each group in the kernels' order
//   widen:    gate and up                             [slots, hidden]
//   activate: f(gate) * up, in the kernels' order
//   narrow:   down                                    [slots, width]
//   combine:  a row's slots in the router's order
//   observe:  if somebody wants to know
//
// How many tasks there are is only known once rows are grouped, and threads ask before; so they are told the most there
// can be, and tasks beyond the last do nothing.
#include <array>

#include "backend/cpu/experts/groups.h"
#include "backend/cpu/experts/memory.h"
#include "backend/cpu/gemm/gather.h"
#include "backend/cpu/gemm/kernel.h"
#include "backend/cpu/ops/kernels/pointwise_step.h"

namespace ingle::cpu::entries {

namespace {

// The activations of one input in the form that one kind of kernel reads, group after group.
struct Side {
    Activations shape;  // of as many tokens as there can be slots
    Region<std::byte> data;
    Region<int64_t> offset;  // [experts] into `data`
    Region<int64_t> start;   // [experts + 1] of fill tasks

    int tile_columns() const { return kernels_of(shape.isa).tile_columns; }
};

class ExpertsStep final : public Step {
    enum Phase : int { group, fill, widen, activate, narrow, combine, observe };
    enum Kind : size_t { gate, up, down };

  public:
    explicit ExpertsStep(const StepInputs& inputs)
        : op_(inputs.op<ops::Experts>()),
          rows_domain_(inputs.node->rows),
          x_(inputs.in[0]),
          chosen_(inputs.in[1]),
          out_(inputs.out[0]),
          kernels_(pointwise_kernels(inputs.isa)),
          slots_max_(inputs.rows_max() * op_.used),
          blocks_(row_blocks(out_.columns * op_.used)) {
        if (op_.residual) residual_ = inputs.in[2];
        for (const Kind kind : {gate, up, down}) take_matrices(inputs, kind);
        hidden_ = matrices_[up][0].rows;
        groups_first_ = plan_.add<int32_t>(op_.experts + 1);
        groups_row_ = plan_.add<int32_t>(slots_max_);
        groups_slot_ = plan_.add<int32_t>(slots_max_);
        side_of_[gate] = side_for(inputs, gate, x_.columns);
        side_of_[up] = side_for(inputs, up, x_.columns);
        input_sides_ = sides_.size();
        side_of_[down] = side_for(inputs, down, hidden_);
        widen_start_ = plan_.add<int64_t>(op_.experts + 1);
        narrow_start_ = plan_.add<int64_t>(op_.experts + 1);
        values_[gate] = plan_.add<float>(slots_max_ * hidden_);
        values_[up] = plan_.add<float>(slots_max_ * hidden_);
        values_[down] = plan_.add<float>(slots_max_ * out_.columns);
    }

    int phases() const override { return op_.observed_input != nullptr ? observe + 1 : observe; }

    int64_t tasks(int phase, const Batch& batch) const override {
        const int64_t rows = batch.count(rows_domain_);
        if (rows == 0) return 0;
        switch (phase) {
            case group: return 1;
            case fill: {
                if (rows == 1) return int64_t(input_sides_);
                int64_t count = 0;
                for (size_t s = 0; s < input_sides_; ++s) count += fill_tasks_max(s, rows);
                return count;
            }
            case widen: return product_tasks_max(gate, rows) + product_tasks_max(up, rows);
            case activate: return fill_tasks_max(side_of_[down], rows);
            case narrow: return product_tasks_max(down, rows);
            case combine: return blocks_.tasks(rows);
            default: return op_.experts;
        }
    }

    void run(int phase, int64_t task, const RunState& state) override {
        const int64_t rows = state.batch->count(rows_domain_);
        switch (phase) {
            case group: return group_rows(rows, state.workspace);
            case fill: return fill_input(task, rows, state);
            case widen: return multiply(widen_start_, {gate, up}, task, rows, state);
            case activate: return fill_hidden(task, state.workspace);
            case narrow: return multiply(narrow_start_, {down, down}, task, rows, state);
            case combine: return combine_rows(blocks_.range(task, rows), state.workspace);
            default: return observe_expert(task, state.workspace);
        }
    }

    uint64_t workspace_bytes() const override { return plan_.bytes(); }

    size_t scratch_bytes() const override {
        size_t floats = 0;
        for (size_t s = 0; s < input_sides_; ++s)
            floats = std::max(floats, gathered_floats(sides_[s].shape));
        return floats * sizeof(float);
    }

    std::string describe() const override {
        std::string text = cat("experts ", op_.used, " of ", op_.experts);
        for (const auto& matrices : matrices_)
            text += cat(" [", matrices[0].format->name, " ", matrices[0].rows, "x", matrices[0].columns, "]");
        if (op_.residual) text += " + residual";
        return text;
    }

    // Whether every expert's matrices begin with a group of packed rows of their own, and all experts have one format.
    static bool can_take(const StepInputs& inputs) {
        const auto& op = inputs.op<ops::Experts>();
        const size_t of_kind = inputs.weights.size() / 3;
        for (size_t i = 0; i < inputs.weights.size(); ++i) {
            const PackedMatrix& matrix = inputs.weights[i]->packed;
            if (matrix.kernel == nullptr || matrix.kernel != inputs.weights[i / of_kind * of_kind]->packed.kernel)
                return false;
            if (of_kind == 1 && matrix.rows / op.experts % cpu::group_rows != 0) return false;
        }
        return has_kernel(op.function);
    }

  private:
    void take_matrices(const StepInputs& inputs, Kind kind) {
        for (int64_t e = 0; e < op_.experts; ++e) {
            const ops::Experts::Place place = op_.place(inputs.weights.size(), kind, e, [&](size_t i) {
                return inputs.weights[i]->packed.rows;
            });
            const PackedMatrix& all = inputs.weights[place.weight]->packed;
            matrices_[kind].push_back(
                groups_of(all, place.first_row / cpu::group_rows,
                          (place.first_row + place.rows + cpu::group_rows - 1) / cpu::group_rows));
        }
    }

    // Experts that rows can have chosen: others have no slots.
    int64_t experts_max(int64_t rows) const { return std::min(op_.experts, rows * op_.used); }

    size_t side_for(const StepInputs& inputs, Kind kind, int64_t columns) {
        const ActivationKind wanted = activation_kind(*matrices_[kind][0].kernel);
        for (size_t s = 0; kind != down && s < sides_.size(); ++s)
            if (sides_[s].shape.kind == wanted) return s;
        Side side;
        side.shape.kind = wanted;
        side.shape.isa = inputs.isa;
        side.shape.planes = wanted == ActivationKind::int8 ? inputs.planes : 1;
        side.shape.columns = columns;
        side.shape.tokens = slots_max_;
        // Groups end with tiles that are not full.
        const int64_t tiles = slots_max_ * side.shape.planes / side.tile_columns() +
                              experts_max(inputs.rows_max());
        side.data = plan_.add<std::byte>(tiles * tile_stride(side.shape, side.tile_columns()));
        side.offset = plan_.add<int64_t>(op_.experts);
        side.start = plan_.add<int64_t>(op_.experts + 1);
        sides_.push_back(side);
        return sides_.size() - 1;
    }

    ExpertGroups groups(std::byte* memory) const {
        return {groups_first_.in(memory), groups_row_.in(memory), groups_slot_.in(memory)};
    }

    // The activations of an expert's group; without memory only their shape.
    Activations view(size_t s, int64_t expert, int64_t tokens, std::byte* memory) const {
        Activations a = sides_[s].shape;
        a.tokens = tokens;
        if (memory != nullptr) a.data = sides_[s].data.in(memory) + sides_[s].offset.in(memory)[expert];
        return a;
    }

    MatmulJob job(Kind kind, int64_t expert, const Activations& a, std::byte* memory) const {
        MatmulJob product;
        product.weights = &matrices_[kind][size_t(expert)];
        product.activations = &a;
        product.out_stride = product.weights->rows;
        if (memory != nullptr)
            product.out = values_[kind].in(memory) + groups_first_.in(memory)[expert] * product.out_stride;
        return product;
    }

    int64_t product_tasks(Kind kind, int64_t expert, int64_t tokens) const {
        const Activations a = view(side_of_[kind], expert, tokens, nullptr);
        return task_count(job(kind, expert, a, nullptr));
    }

    int64_t fill_tasks_max(size_t s, int64_t rows) const {
        const int64_t columns = rows * op_.used * sides_[s].shape.planes;
        return columns / sides_[s].tile_columns() + experts_max(rows);
    }

    // However the rows fall: a group is cut into pieces of rows of the matrix, and those into pieces of columns.
    int64_t product_tasks_max(Kind kind, int64_t rows) const {
        const Side& side = sides_[side_of_[kind]];
        const int64_t direct = product_tasks(kind, 0, 1);
        if (rows * side.shape.planes <= side.tile_columns()) return experts_max(rows) * direct;
        const int64_t panel_groups = kernels_of(side.shape.isa).panel_groups;
        const int64_t panels = (group_count(matrices_[kind][0]) + panel_groups - 1) / panel_groups;
        return experts_max(rows) * std::max(direct, panels) +
               rows * op_.used * side.shape.planes / task_columns_min * panels;
    }

    void group_rows(int64_t rows, std::byte* memory) const {
        const ExpertGroups all = groups(memory);
        group_rows_by_expert(op_, chosen_.data, rows, all);
        int64_t* const widen_start = widen_start_.in(memory);
        int64_t* const narrow_start = narrow_start_.in(memory);
        int64_t widened = 0, narrowed = 0;
        for (int64_t e = 0; e < op_.experts; ++e) {
            widen_start[e] = widened;
            narrow_start[e] = narrowed;
            const int64_t count = all.count(e);
            if (count == 0) continue;
            widened += product_tasks(gate, e, count) + product_tasks(up, e, count);
            narrowed += product_tasks(down, e, count);
        }
        widen_start[op_.experts] = widened;
        narrow_start[op_.experts] = narrowed;
        for (size_t s = 0; s < sides_.size(); ++s) place_groups(s, rows == 1 && s < input_sides_, all, memory);
    }

    // Where the activations of each group lie, and the tasks that fill them. A single row is the same for all.
    void place_groups(size_t s, bool shared, const ExpertGroups& all, std::byte* memory) const {
        int64_t* const offset = sides_[s].offset.in(memory);
        int64_t* const start = sides_[s].start.in(memory);
        int64_t bytes = 0, filled = 0;
        for (int64_t e = 0; e < op_.experts; ++e) {
            offset[e] = bytes;
            start[e] = filled;
            const int64_t count = all.count(e);
            if (count == 0 || shared) continue;
            const Activations a = view(s, e, count, nullptr);
            bytes += int64_t(activation_bytes(a));
            filled += fill_task_count(a);
        }
        start[op_.experts] = filled;
    }

    // The expert whose tasks `task` is among; `task` becomes its number there. False if there are no more.
    bool find_expert(const int64_t* start, int64_t& task, int64_t& expert) const {
        if (task >= start[op_.experts]) return false;
        expert = std::upper_bound(start, start + op_.experts + 1, task) - start - 1;
        task -= start[expert];
        return true;
    }

    void fill_input(int64_t task, int64_t rows, const RunState& state) const {
        std::byte* const memory = state.workspace;
        if (rows == 1) return fill_activations(view(size_t(task), 0, 1, memory), 0, x_.data, x_.columns);
        const ExpertGroups all = groups(memory);
        for (size_t s = 0; s < input_sides_; ++s) {
            const int64_t count = fill_tasks_max(s, rows);
            if (task >= count) {
                task -= count;
                continue;
            }
            int64_t e = 0;
            if (!find_expert(sides_[s].start.in(memory), task, e)) return;
            return fill_gathered(view(s, e, all.count(e), memory), task, x_.data, x_.columns,
                                 all.row_of + all.first[e], reinterpret_cast<float*>(state.scratch.data));
        }
    }

    void multiply(Region<int64_t> start, std::array<Kind, 2> kinds, int64_t task, int64_t rows,
                  const RunState& state) const {
        int64_t e = 0;
        if (!find_expert(start.in(state.workspace), task, e)) return;
        const int64_t count = rows == 1 ? 1 : groups(state.workspace).count(e);
        Kind kind = kinds[0];
        if (kinds[1] != kind)
            if (const int64_t before = product_tasks(kind, e, count); task >= before) {
                task -= before;
                kind = kinds[1];
            }
        const Activations a = view(side_of_[kind], e, count, state.workspace);
        run_task(job(kind, e, a, state.workspace), task, state.scratch);
    }

    void fill_hidden(int64_t task, std::byte* memory) const {
        const size_t s = side_of_[down];
        int64_t e = 0;
        if (!find_expert(sides_[s].start.in(memory), task, e)) return;
        const ExpertGroups all = groups(memory);
        const Activations a = view(s, e, all.count(e), memory);
        float* const gates = values_[gate].in(memory) + all.first[e] * hidden_;
        const float* const ups = values_[up].in(memory) + all.first[e] * hidden_;
        const int64_t begin = task * fill_task_tokens(a) * hidden_;
        const int64_t end = std::min((task + 1) * fill_task_tokens(a), a.tokens) * hidden_;
        if (begin < end)
            kernels_.gated[size_t(op_.function)](gates + begin, ups + begin, end - begin, gates + begin);
        fill_tokens(a, task, gates, hidden_);
    }

    void combine_rows(ops::RowRange rows, std::byte* memory) const {
        const int32_t* const slot_of = groups_slot_.in(memory);
        const float* const results = values_[down].in(memory);
        const int64_t width = out_.columns;
        for (int64_t r = rows.begin; r < rows.end; ++r) {
            const float* const weights = chosen_.data + r * chosen_.columns + op_.used;
            float* const out = out_.data + r * width;
            for (int64_t k = 0; k < op_.used; ++k) {
                const float weight = weights[k];
                const float* const result = results + slot_of[r * op_.used + k] * width;
                if (k == 0)
                    for (int64_t j = 0; j < width; ++j) out[j] = weight * result[j];
                else
                    for (int64_t j = 0; j < width; ++j) out[j] += weight * result[j];
            }
            if (!op_.residual) continue;
            const float* const residual = residual_.data + r * residual_.columns;
            for (int64_t j = 0; j < width; ++j) out[j] += residual[j];
        }
    }

    void observe_expert(int64_t e, std::byte* memory) const {
        const ExpertGroups all = groups(memory);
        for (int32_t slot = all.first[e]; slot < all.first[e + 1]; ++slot) {
            op_.observed_input->add(e, x_.data + all.row_of[slot] * x_.columns);
            op_.observed_hidden->add(e, values_[gate].in(memory) + slot * hidden_);
        }
    }

    ops::Experts op_;
    Rows rows_domain_;
    Operand x_;
    Operand chosen_;
    Operand residual_;
    Operand out_;
    const PointwiseKernels& kernels_;
    int64_t slots_max_;
    int64_t hidden_ = 0;
    RowBlocks blocks_;
    std::array<std::vector<PackedMatrix>, 3> matrices_;  // by kind, then expert
    std::vector<Side> sides_;                            // of the input, then that of the hidden values
    size_t input_sides_ = 0;
    std::array<size_t, 3> side_of_ = {};  // by kind
    RegionPlan plan_;
    Region<int32_t> groups_first_, groups_row_, groups_slot_;
    Region<int64_t> widen_start_, narrow_start_;  // [experts + 1] of product tasks
    std::array<Region<float>, 3> values_;         // by kind: [slots, rows of the matrix]
};

std::unique_ptr<Step> make(const StepInputs& inputs) {
    if (!ExpertsStep::can_take(inputs)) return nullptr;
    return std::make_unique<ExpertsStep>(inputs);
}

}  // namespace

extern const StepMaker experts;
const StepMaker experts{.op = ops::Experts::name, .make = make};

}  // namespace ingle::cpu::entries
