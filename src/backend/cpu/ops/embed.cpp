// Embed on the CPU: rows of the table decoded from its packed form, or from the file where it is
// not packed.
#include "backend/cpu/ops/kernels/pointwise_step.h"

namespace ingle::cpu::entries {

namespace {

class EmbedStep final : public Step {
  public:
    explicit EmbedStep(const StepInputs& inputs)
        : table_(*inputs.weights[0]), out_(inputs.out[0]), blocks_(row_blocks(out_.columns)) {}

    int64_t tasks(int, const Batch& batch) const override {
        return blocks_.tasks(batch.count(out_.rows));
    }

    void run(int, int64_t task, const RunState& state) override {
        const Batch& batch = *state.batch;
        const ops::RowRange rows = blocks_.range(task, batch.count(out_.rows));
        for (int64_t r = rows.begin; r < rows.end; ++r)
            table_.look_up(batch.tokens[size_t(batch.token_row(out_.rows, r))],
                           out_.data + r * out_.columns);
    }

    std::string describe() const override {
        return cat("embed [", table_.source->format->name, " ", table_.source->rows, "x",
                   table_.source->columns, "]");
    }

  private:
    const PreparedWeight& table_;
    Operand out_;
    RowBlocks blocks_;
};

std::unique_ptr<Step> make(const StepInputs& inputs) { return std::make_unique<EmbedStep>(inputs); }

}  // namespace

extern const StepMaker embed;
const StepMaker embed{.op = ops::Embed::name, .make = make};

}  // namespace ingle::cpu::entries
