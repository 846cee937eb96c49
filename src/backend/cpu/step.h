// A step of a CPU program: the work of one node, cut into phases of independent tasks.
//
// All threads run the same steps. Within a phase tasks are claimed in any order by any thread; between phases all
// wait. Results must not depend on who ran what. Steps are made once; run() allocates nothing.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.h"
#include "backend/cpu/gemm/matmul.h"
#include "backend/cpu/weights.h"
#include "ops/support/node.h"
#include "tensor/matrix.h"

namespace ingle::cpu {

// Where a value lies; its rows follow from the call.
struct Operand {
    float* data = nullptr;
    int64_t columns = 0;
    Rows rows = Rows::tokens;

    Matrix matrix(const Batch& batch) const {
        return {data, batch.count(rows), columns, columns};
    }
};

// What a step is made from.
struct StepInputs {
    const Node* node = nullptr;
    std::vector<Operand> in;
    std::vector<Operand> out;
    std::vector<const PreparedWeight*> weights;  // null where absent
    KvView kv;                                   // of the node's layer, without its page table
    Isa isa = Isa::baseline;
    int planes = 1;          // of int8 activations
    int64_t tokens_max = 0;  // rows an operand of this node can have, by domain
    int64_t outputs_max = 0;

    template <class Op>
    const Op& op() const {
        return std::get<Op>(node->op);
    }
    int64_t rows_max() const { return node->rows == Rows::tokens ? tokens_max : outputs_max; }
};

// What changes from call to call.
struct RunState {
    const Batch* batch = nullptr;
    ThreadScratch scratch;           // of the calling thread
    std::byte* workspace = nullptr;  // shared by all threads for the phases of one step
};

class Step {
  public:
    virtual ~Step() = default;
    virtual int phases() const { return 1; }
    // Tasks of a phase for this batch; the same on every thread.
    virtual int64_t tasks(int phase, const Batch& batch) const = 0;
    virtual void run(int phase, int64_t task, const RunState& state) = 0;
    // Working memory that its phases share, e.g. for quantized activations; 64-byte aligned in RunState.
    virtual uint64_t workspace_bytes() const { return 0; }
    // Working memory of its own that each thread needs beyond what matrix products need; 64-byte aligned.
    virtual size_t scratch_bytes() const { return 0; }
    virtual std::string describe() const = 0;
};

// A file of backend/cpu/ops: makes fast steps for one op, or declines.
struct StepMaker {
    std::string_view op;
    // Null if this node is not for it; then the op's reference runs.
    std::unique_ptr<Step> (*make)(const StepInputs& inputs);
};

std::span<const StepMaker* const> all_step_makers();

// The op's plain reference as a step: correct for every op and format.
std::unique_ptr<Step> make_reference_step(const StepInputs& inputs);

// The fast step for a node if there is one, else the reference.
std::unique_ptr<Step> make_step(const StepInputs& inputs);

// Rows dealt out in blocks: for steps whose work is so many independent rows.
struct RowBlocks {
    int64_t rows_per_task = 1;

    int64_t tasks(int64_t rows) const { return (rows + rows_per_task - 1) / rows_per_task; }
    ops::RowRange range(int64_t task, int64_t rows) const {
        return {task * rows_per_task, std::min(rows, (task + 1) * rows_per_task)};
    }
};

}  // namespace ingle::cpu
