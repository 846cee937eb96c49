// A step of the CPU backend by itself: operands, weights and KV pages in memory of the test's
// own, run in any order of tasks.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "base/simd/isa.h"
#include "backend/cpu/step.h"
#include "base/random.h"
#include "base/text.h"

namespace ingle::cpu::test {

inline constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

inline std::vector<float> random_values(Random& random, int64_t count, float spread = 1) {
    std::vector<float> values(size_t(count), 0.0f);
    for (float& value : values) value = float(random.normal()) * spread;
    return values;
}

// Pages of one layer in shuffled order; slots that nobody wrote hold NaN.
class Pages {
  public:
    Pages(const KvShape& shape, KvType key_type, KvType value_type, int64_t pages, Random& random) {
        view_.pages_max = pages;
        view_.set_types(shape, 32, key_type, value_type);
        view_.page_bytes = size_t(shape.page_bytes(key_type, value_type, 32));
        bytes_.assign(view_.page_bytes * size_t(pages), std::byte{0xff});
        view_.base = bytes_.data();
        if (info(key_type).quantized || info(value_type).quantized) {
            view_.exact_page_bytes = size_t(shape.page_bytes(KvType::f16, KvType::f16, 32));
            exact_.assign(view_.exact_page_bytes * size_t(pages), std::byte{0xff});
            view_.exact_base = exact_.data();
        }
        table_.resize(size_t(pages));
        for (size_t i = 0; i < table_.size(); ++i) table_[i].page = uint32_t(i);
        for (size_t i = table_.size(); i > 1; --i)
            std::swap(table_[i - 1], table_[random.below(uint32_t(i))]);
    }

    // Random keys and values for tokens [0, count).
    void fill(int64_t count, Random& random) {
        const KvView view = with_table();
        for (int64_t t = 0; t < count; ++t)
            for (int64_t head = 0; head < view.shape.kv_heads; ++head) {
                view.put_key(head, t, random_values(random, view.shape.key_dim).data());
                view.put_value(head, t, random_values(random, view.shape.value_dim).data());
            }
    }

    KvView without_table() const { return view_; }
    KvView with_table() const {
        KvView view = view_;
        view.table = table_.data();
        return view;
    }
    PageTable table() const { return table_; }
    // The tokens of a logical page have moved.
    void shift(size_t page, int32_t shift) { table_[page].shift = shift; }
    std::span<const std::byte> bytes() const { return bytes_; }
    std::span<const std::byte> exact_bytes() const { return exact_; }

  private:
    KvView view_;
    std::vector<std::byte> bytes_;
    std::vector<std::byte> exact_;
    std::vector<PageEntry> table_;
};

// One node with its operands. Inputs and outputs are [rows_max, columns]; outputs start as NaN.
class OneNode {
  public:
    OneNode(ops::Op op, int64_t rows_max, Rows rows = Rows::tokens) : rows_max_(rows_max) {
        node_.op = std::move(op);
        node_.rows = rows;
    }

    void add_input(std::vector<float> values, Rows rows) {
        const int64_t columns = int64_t(values.size()) / rows_max_;
        in_.push_back({std::move(values), columns, rows});
    }
    void add_input(std::vector<float> values) { add_input(std::move(values), node_.rows); }
    void add_output(int64_t columns) {
        out_.push_back({std::vector<float>(size_t(rows_max_ * columns), not_a_number), columns,
                        node_.rows});
    }
    void add_weight(std::vector<float> values, int64_t rows = 1) {
        sources_.push_back(
            std::make_unique<WeightSource>(constant_weight("weight", values, rows)));
        auto prepared = std::make_unique<PreparedWeight>();
        prepared->source = sources_.back().get();
        prepared->values = std::move(values);
        weights_.push_back(std::move(prepared));
    }
    // As it lies in its file, and packed. Both are the caller's.
    void add_matrix(const WeightSource& source, const PackedMatrix& packed) {
        sources_.push_back(std::make_unique<WeightSource>(source));
        auto prepared = std::make_unique<PreparedWeight>();
        prepared->source = sources_.back().get();
        prepared->packed = packed;
        weights_.push_back(std::move(prepared));
    }
    void add_no_weight() {
        sources_.push_back(nullptr);
        weights_.push_back(nullptr);
    }
    void use(Pages& pages) { pages_ = &pages; }

    std::vector<float>& out(size_t i = 0) { return out_[i].values; }
    const Node& node() const { return node_; }

    StepInputs inputs(Isa isa) {
        StepInputs inputs;
        inputs.node = &node_;
        for (OperandMemory& value : in_) inputs.in.push_back(value.operand());
        for (OperandMemory& value : out_) inputs.out.push_back(value.operand());
        for (const auto& weight : weights_) inputs.weights.push_back(weight.get());
        if (pages_ != nullptr) inputs.kv = pages_->without_table();
        inputs.isa = isa;
        inputs.tokens_max = rows_max_;
        inputs.outputs_max = rows_max_;
        return inputs;
    }

    int64_t tasks(Step& step, int phase, const Batch& given) const {
        const SequenceRows whole = whole_batch(given);
        return step.tasks(phase, of_sequence(given, whole));
    }

    // All tasks of all phases, each phase's in an order that no thread would choose.
    void run(Step& step, const Batch& given) {
        const SequenceRows whole = whole_batch(given);
        const Batch batch = of_sequence(given, whole);
        std::vector<std::byte> workspace(size_t(step.workspace_bytes()) + 64);
        size_t scratch_bytes = step.scratch_bytes();
        for (const auto& weight : weights_)
            if (weight != nullptr && weight->packed.kernel != nullptr)
                scratch_bytes = std::max(scratch_bytes, cpu::scratch_bytes(weight->packed));
        std::vector<std::byte> scratch(scratch_bytes + 64);
        RunState state;
        state.batch = &batch;
        state.workspace = aligned(workspace);
        for (int phase = 0; phase < step.phases(); ++phase) {
            const int64_t tasks = step.tasks(phase, batch);
            for (int64_t i = 0; i < tasks; ++i) {
                std::fill(scratch.begin(), scratch.end(), std::byte{0xff});
                state.scratch.data = aligned(scratch);
                step.run(phase, i % 2 == 0 ? tasks - 1 - i / 2 : i / 2, state);
            }
        }
    }

    // The op's plain reference into the outputs.
    void run_reference(const Batch& given) {
        const SequenceRows whole = whole_batch(given);
        const Batch batch = of_sequence(given, whole);
        std::vector<ConstMatrix> in;
        std::vector<Matrix> out;
        std::vector<const WeightSource*> weights;
        for (OperandMemory& value : in_) in.push_back(value.operand().matrix(batch));
        for (OperandMemory& value : out_) out.push_back(value.operand().matrix(batch));
        for (const auto& source : sources_) weights.push_back(source.get());
        KvView kv;
        if (pages_ != nullptr) kv = pages_->without_table();
        ops::Arguments arguments;
        arguments.in = in;
        arguments.out = out;
        arguments.weights = weights;
        arguments.batch = &batch;
        arguments.rows = node_.rows;
        arguments.kv = &kv;
        std::visit(
            [&]<class Op>(const Op& op) {
                Op::reference(op, arguments, {0, batch.count(node_.rows)});
            },
            node_.op);
    }

  private:
    // A batch that names no sequences is one sequence on the node's pages.
    SequenceRows whole_batch(const Batch& batch) const {
        return {pages_ != nullptr ? pages_->table() : PageTable(), 0, int32_t(batch.tokens.size()), 0,
                int32_t(batch.outputs.size())};
    }
    static Batch of_sequence(Batch batch, const SequenceRows& whole) {
        if (batch.sequences.empty()) batch.sequences = {&whole, 1};
        return batch;
    }
    struct OperandMemory {
        std::vector<float> values;
        int64_t columns;
        Rows rows;

        Operand operand() { return {values.data(), columns, rows}; }
    };
    static std::byte* aligned(std::vector<std::byte>& bytes) {
        return bytes.data() + (64 - reinterpret_cast<uintptr_t>(bytes.data()) % 64) % 64;
    }

    Node node_;
    int64_t rows_max_;
    std::vector<OperandMemory> in_;
    std::vector<OperandMemory> out_;
    std::vector<std::unique_ptr<WeightSource>> sources_;
    std::vector<std::unique_ptr<PreparedWeight>> weights_;
    Pages* pages_ = nullptr;
};

// Tokens at positions first, first + 1, ...; every row is an output.
struct Sequence {
    std::vector<Token> tokens;
    std::vector<int32_t> positions;
    std::vector<int32_t> outputs;

    Sequence(int64_t first, int64_t count) {
        for (int64_t i = 0; i < count; ++i) {
            tokens.push_back(Token(i));
            positions.push_back(int32_t(first + i));
            outputs.push_back(int32_t(i));
        }
    }
    Batch batch() const { return {tokens, positions, outputs}; }
};

inline bool same_bits(std::span<const float> a, std::span<const float> b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

// The names of instruction sets as test parameters.
inline std::string isa_name(const testing::TestParamInfo<Isa>& info) {
    return std::string(to_string(info.param));
}

}  // namespace ingle::cpu::test

// A test that runs once for every instruction set of this processor.
#define INGLE_EACH_ISA(suite)                                                              \
    INSTANTIATE_TEST_SUITE_P(Isas, suite,                                                  \
                             testing::ValuesIn(::ingle::cpu::supported_isas().begin(),      \
                                               ::ingle::cpu::supported_isas().end()),      \
                             ::ingle::cpu::test::isa_name)
